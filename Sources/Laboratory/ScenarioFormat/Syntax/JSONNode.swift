/// A value of a JSON text that knows where it stands.
struct JSONNode: Sendable {
  /// What the value is.
  indirect enum Content: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case list([JSONNode])
    case object(JSONObject)
    /// Something that was complained about already, so that nothing else should be said about it.
    case unreadable
  }

  let content: Content
  /// The bytes of the value in its text.
  let range: Range<Int>

  /// The first byte of the value.
  var start: Range<Int> { range.lowerBound..<range.lowerBound + 1 }

  /// What it is, for an error.
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

/// A number as it is written.
struct JSONNumber: Sendable {
  let text: String
  let value: Double

  /// The number if it is whole and fits.
  var integer: Int? { Int(text) ?? Int(exactly: value) }
}

/// The members of an object in the order in which they are written. No key is there twice.
struct JSONObject: Sendable {
  /// A key with its value.
  struct Member: Sendable {
    let key: String
    let keyRange: Range<Int>
    let value: JSONNode
  }

  var members: [Member] = []
  /// False where a part could not be read: a key that seems to be missing may have been there.
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
