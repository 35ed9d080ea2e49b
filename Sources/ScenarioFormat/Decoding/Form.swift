/// An object with a fixed table of fields.
struct Form<Owner: Sendable>: Sendable {
  /// What an object without any key is.
  let empty: Owner
  var choices: [Choice] = []
  let fields: [Field<Owner>]
  var checks: [Check<Owner>] = []

  /// The object as a kind of value.
  var kind: ValueKind<Owner> {
    ValueKind(schema) { node, reading in
      guard case .object(let object) = node.content else {
        reading.wrongKind(node, expected: "an object")
        return nil
      }
      let before = reading.diagnostics.errorCount
      var owner = empty
      let start = node.range.lowerBound..<node.range.lowerBound + 1
      let damaged = fields.read(object, missingAt: start, &owner, &reading)
      fields.refuseOthers(in: object, &reading)
      for choice in choices { choice.check(object, missingAt: start, &reading) }
      // What is missing in a part that could not be read may have been there.
      guard object.isWhole else { return nil }
      for check in checks { check.run(owner, node, except: damaged, &reading) }
      return damaged.isEmpty && reading.diagnostics.errorCount == before ? owner : nil
    }
  }

  private var schema: Schema {
    var schema: Schema = fields.schema()
    let rules = choices.map(\.rule)
    if !rules.isEmpty { schema.keywords["allOf"] = .list(rules) }
    return schema
  }
}

extension Array {
  /// Reads every field that is there, and complains about a required one that is not.
  ///
  /// - Returns: the keys of those that could not be read.
  func read<Owner>(
    _ object: JSONObject, missingAt place: Range<Int>, of whom: String = "", _ owner: inout Owner,
    _ reading: inout Reading
  ) -> Set<String> where Element == Field<Owner> {
    var damaged: Set<String> = []
    for field in self {
      if let member = object[field.name] {
        if !field.read(member.value, &owner, &reading) { damaged.insert(field.name) }
      } else if field.isRequired {
        damaged.insert(field.name)
        guard object.isWhole else { continue }
        reading.report(.missing, "missing \"\(field.name)\"\(whom)", at: place, "add \"\(field.name)\"")
      }
    }
    return damaged
  }

  /// Complains about keys that no field has.
  func refuseOthers<Owner>(in object: JSONObject, _ reading: inout Reading) where Element == Field<Owner> {
    let names = map(\.name)
    for member in object.members where !names.contains(member.key) {
      reading.unknownKey(member.key, among: names, at: member.keyRange)
    }
  }

  /// An object of these fields and no others.
  func schema<Owner>() -> Schema where Element == Field<Owner> {
    var keywords: [String: JSONValue] = [
      "type": "object", "additionalProperties": false,
      "properties": .object(
        Dictionary(map { ($0.name, $0.schema.described($0.help).json) }, uniquingKeysWith: { first, _ in first })),
    ]
    let required = filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { keywords["required"] = .list(required) }
    return Schema(keywords, Schema.definitions(of: map(\.schema)), Outline(keys: map(\.key)))
  }
}
