import PlainText

/// A JSON value with its location in the text.
struct JSONNode: Sendable {
  /// The content of a node.
  indirect enum Content: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case list([JSONNode])
    case object(JSONObject)
    /// A placeholder for an invalid value that was already reported, so that nothing else is reported about it.
    case unreadable
  }

  let content: Content
  /// The range of bytes that the value occupies in the text.
  let range: Range<Int>
  /// The number of the round that the value is a part of, or nil if it is not in a repetition. A string has one only if it
  /// contains the index.
  var round: Int?

  /// The range of the value's first byte.
  var start: Range<Int> { range.lowerBound..<range.lowerBound + 1 }

  /// The value's description in error messages.
  var kind: String {
    switch content {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let number): "the number \(number.text)"
    case .string: "a string"
    case .list: "a list"
    case .object: "an object"
    case .unreadable: "something unreadable"
    }
  }
}

/// A number, together with its spelling in the file.
struct JSONNumber: Sendable {
  let text: String
  let value: Double

  /// The number as an integer, or nil if it cannot be represented as one.
  var integer: Int? { Int(text) ?? Int(exactly: value) }
}

/// The members of an object in source order, without duplicate keys.
struct JSONObject: Sendable {
  /// A key with its value.
  struct Member: Sendable {
    let key: String
    let keyRange: Range<Int>
    var value: JSONNode
  }

  var members: [Member] = []
  /// Whether the object was parsed completely. If not, a key that seems to be missing may be in the part that could not
  /// be parsed.
  var isWhole = true

  subscript(key: String) -> Member? { members.first { $0.key == key } }
}

extension JSONNode {
  /// Returns the value of an object's member, or nil if there is none.
  subscript(key: String) -> JSONNode? {
    guard case .object(let object) = content else { return nil }
    return object[key]?.value
  }

  /// The text of a string, or nil for other values.
  var word: String? {
    guard case .string(let text) = content else { return nil }
    return text
  }

  /// The value as JSON in one line, or `...` if that is too long for a message.
  var spelled: String {
    let text = json
    return text.count > 120 ? "..." : text
  }

  /// The value as JSON. Long strings are shortened.
  private var json: String {
    switch content {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let number): number.text
    case .string(let text): quoted(text)
    case .list(let elements): "[\(elements.map(\.json).joined(separator: ", "))]"
    case .object(let object):
      "{\(object.members.map { "\(quoted($0.key)): \($0.value.json)" }.joined(separator: ", "))}"
    case .unreadable: "..."
    }
  }

  /// The elements of a list, or an empty array for other values.
  var elements: [JSONNode] {
    guard case .list(let elements) = content else { return [] }
    return elements
  }
}
