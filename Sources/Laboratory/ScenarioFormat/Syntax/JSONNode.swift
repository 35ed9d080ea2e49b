/// A JSON value with its location.
struct JSONNode: Sendable {
  /// The value.
  indirect enum Content: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case list([JSONNode])
    case object(JSONObject)
    /// A placeholder for a value that was already reported, so that nothing else is reported about it.
    case unreadable
  }

  let content: Content
  /// The bytes of the value in its text.
  let range: Range<Int>

  /// The first byte of the value.
  var start: Range<Int> { range.lowerBound..<range.lowerBound + 1 }

  /// Its description for errors.
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

/// A number as written.
struct JSONNumber: Sendable {
  let text: String
  let value: Double

  /// The number, if it is an integer that fits.
  var integer: Int? { Int(text) ?? Int(exactly: value) }
}

/// The members of an object in source order, without duplicate keys.
struct JSONObject: Sendable {
  /// A key with its value.
  struct Member: Sendable {
    let key: String
    let keyRange: Range<Int>
    let value: JSONNode
  }

  var members: [Member] = []
  /// False if a part could not be parsed: a key that seems to be missing may have been there.
  var isWhole = true

  subscript(key: String) -> Member? { members.first { $0.key == key } }
}

extension JSONNode {
  /// The member of an object.
  subscript(key: String) -> JSONNode? {
    guard case .object(let object) = content else { return nil }
    return object[key]?.value
  }

  /// The text of a string.
  var word: String? {
    guard case .string(let text) = content else { return nil }
    return text
  }

  /// The elements of a list.
  var elements: [JSONNode] {
    guard case .list(let elements) = content else { return [] }
    return elements
  }
}
