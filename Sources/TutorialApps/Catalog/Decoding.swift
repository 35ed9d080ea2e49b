/// The location and cause of a decoding failure, for the author of the JSON.
package struct DecodingProblem {
  /// The path to the value, such as `slides[3].file`. The path is empty if the whole document is invalid.
  let path: String
  let reason: String
  /// Whether the text is not valid JSON, so its values cannot be decoded at all.
  let isSyntax: Bool

  package init(_ error: any Error) {
    if case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty {
      isSyntax = true
    } else {
      isSyntax = false
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      (path, reason) = (Self.text(context.codingPath + [key]), "is missing")
    case DecodingError.valueNotFound(_, let context):
      (path, reason) = (Self.text(context.codingPath), "is null")
    case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
      (path, reason) = ("", "is not JSON; verify its brackets, commas and quotes")
    case DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context):
      (path, reason) = (Self.text(context.codingPath), context.debugDescription)
    default:
      (path, reason) = ("", "\(error)")
    }
  }

  /// The path, if there is one, and the reason.
  package var text: String { path.isEmpty ? reason : "\(path) \(reason)" }

  static func text(_ path: [any CodingKey]) -> String {
    path.reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
  }
}

extension KeyedDecodingContainer {
  /// Decodes an identifier as text, because some services send integers and others send strings.
  func decodeIdentifier(forKey key: Key) throws -> String {
    if let number = try? decode(Int.self, forKey: key) { return String(number) }
    if let text = try? decode(String.self, forKey: key) { return try validated(text, forKey: key) }
    guard contains(key) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "is missing"))
    }
    throw DecodingError.dataCorruptedError(
      forKey: key, in: self, debugDescription: "must be a whole number of at most 18 digits or a string")
  }

  /// Decodes optional text.
  func text(forKey key: Key) throws -> String? {
    try decodeIfPresent(String.self, forKey: key).map { try validated($0, forKey: key) }
  }

  /// The path to a key, such as `slides[3].file`.
  func path(of key: Key) -> String { DecodingProblem.text(codingPath + [key]) }

  // The limit is longer than any path that a server accepts, and longer than any readable title.
  private func validated(_ text: String, forKey key: Key) throws -> String {
    guard text.utf8.count <= 4096 else {
      throw ServiceError.catalog(
        path: path(of: key), reason: "is \(text.utf8.count) bytes long; at most 4096 are allowed")
    }
    return text
  }
}
