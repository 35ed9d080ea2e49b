/// Where a decoder failed and why, in words for the person who wrote the JSON.
struct DecodingProblem {
  /// For example `slides[3].file`; empty for the whole.
  let path: String
  let reason: String
  /// Whether the text is no JSON at all, so that there is nothing to compare with a model.
  let isSyntax: Bool

  init(_ error: any Error) {
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
