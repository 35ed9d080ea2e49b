extension KeyedDecodingContainer {
  /// An identifier as text: services send whole numbers and strings.
  func decodeIdentifier(forKey key: Key) throws -> String {
    if let number = try? decode(Int.self, forKey: key) { return String(number) }
    if let text = try? decode(String.self, forKey: key) { return try validated(text, forKey: key) }
    guard contains(key) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "is missing"))
    }
    throw DecodingError.dataCorruptedError(
      forKey: key, in: self, debugDescription: "must be a whole number of at most 18 digits or a string")
  }

  /// A text that need not be there.
  func text(forKey key: Key) throws -> String? {
    try decodeIfPresent(String.self, forKey: key).map { try validated($0, forKey: key) }
  }

  /// For example `slides[3].file`.
  func path(of key: Key) -> String { DecodingProblem.text(codingPath + [key]) }

  // No path that a server accepts is longer, and no title that a person reads.
  private func validated(_ text: String, forKey key: Key) throws -> String {
    guard text.utf8.count <= 4096 else {
      throw FetchError.catalogue(
        path: path(of: key), reason: "is \(text.utf8.count) bytes long; at most 4096 are allowed")
    }
    return text
  }
}
