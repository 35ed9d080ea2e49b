import Bytes

/// Keys of an object that stand for each other.
struct Choice: Sendable {
  let keys: [String]
  /// Whether one of them must be there.
  let isRequired: Bool

  /// At most one of two keys.
  static func atMostOne(_ one: String, _ other: String) -> Choice { Choice(keys: [one, other], isRequired: false) }

  static func exactlyOne(_ keys: String...) -> Choice { Choice(keys: keys, isRequired: true) }

  /// Complains about one too many, or none.
  func validate(_ object: JSONObject, missingAt location: Range<Int>, _ reading: inout Reading) {
    let present = object.members.filter { keys.contains($0.key) }
    if present.count > 1 {
      reading.report(
        .duplicate, "\(quoted(present[1].key)) beside \(quoted(present[0].key))", at: present[1].keyRange,
        "keep one of them")
    } else if present.isEmpty, isRequired, object.isWhole {
      let list = keys.map { "\"\($0)\"" }
      reading.report(
        .missing, "missing \(list.listed(with: "or"))", at: location, "add \(list.count == 1 ? "it" : "one of them")")
    }
  }

  /// The same for the schema.
  var rule: JSONValue {
    let one = JSONValue.list(keys.map { ["required": [.string($0)]] })
    if isRequired { return ["oneOf": one] }
    return ["not": ["required": .list(keys.map { .string($0) })]]
  }
}
