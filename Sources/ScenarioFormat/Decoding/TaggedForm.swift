/// An object of which one word decides which other fields it has: the `do` of a step, the `event` of a pattern.
struct TaggedForm<Owner: Sendable>: Sendable {
  /// What one word stands for.
  struct Case: Sendable {
    let word: String
    /// One sentence for the schema.
    let help: String
    /// The fields that come with the word, beside the common ones.
    var fields: [Field<Owner>] = []
    /// Notes the word in the owner.
    let choose: @Sendable (inout Owner) -> Void
  }

  /// The key with the word.
  let tag: String
  /// What the word is called in messages.
  let what: String
  let empty: Owner
  var choices: [Choice] = []
  /// The fields that come with every word.
  var common: [Field<Owner>] = []
  let cases: [Case]
  var checks: [Check<Owner>] = []

  /// The object as a kind of value.
  var kind: ValueKind<Owner> {
    // Made once, and not for each object of a file.
    let word = ValueKind<String>.word(what, cases.map(\.word))
    let byWord = Dictionary(uniqueKeysWithValues: cases.map { ($0.word, $0) })
    let namesByWord = byWord.mapValues { [tag] + (common + $0.fields).map(\.name) }
    let elsewhere = Set(cases.flatMap(\.fields).map(\.name))
    return ValueKind(schema) { node, reading in
      guard case .object(let object) = node.content else {
        reading.wrongKind(node, expected: "an object")
        return nil
      }
      let before = reading.diagnostics.errorCount
      var owner = empty
      let start = node.range.lowerBound..<node.range.lowerBound + 1
      let chosen = chosen(object, missingAt: start, word, &reading).flatMap { byWord[$0] }
      chosen?.choose(&owner)
      var damaged = common.read(object, missingAt: start, &owner, &reading)
      // Which other keys belong here depends on the word.
      if let chosen, let place = object[tag]?.value.range {
        damaged.formUnion(
          chosen.fields.read(object, missingAt: place, of: " for the \(what) \"\(chosen.word)\"", &owner, &reading))
        refuseOthers(in: object, chosen, namesByWord[chosen.word] ?? [], elsewhere, &reading)
      }
      for choice in choices { choice.check(object, missingAt: start, &reading) }
      guard object.isWhole else { return nil }
      for check in checks { check.run(owner, node, except: damaged, &reading) }
      guard chosen != nil, damaged.isEmpty, reading.diagnostics.errorCount == before else { return nil }
      return owner
    }
  }

  private func chosen(
    _ object: JSONObject, missingAt place: Range<Int>, _ word: ValueKind<String>, _ reading: inout Reading
  ) -> String? {
    guard let member = object[tag] else {
      if object.isWhole { reading.report(.missing, "missing \"\(tag)\"", at: place, "add \"\(tag)\"") }
      return nil
    }
    return word.read(member.value, &reading)
  }

  private func refuseOthers(
    in object: JSONObject, _ chosen: Case, _ names: [String], _ elsewhere: Set<String>, _ reading: inout Reading
  ) {
    for member in object.members where !names.contains(member.key) {
      guard elsewhere.contains(member.key) else {
        reading.unknownKey(member.key, among: names, at: member.keyRange)
        continue
      }
      reading.report(
        .unknownKey, "the \(what) \"\(chosen.word)\" has no \(quoted(member.key))", at: member.keyRange,
        "there are \(listed(names))")
    }
  }

  private var schema: Schema {
    let optional = cases.flatMap(\.fields)
    var schema: Schema = common.schema()
    var properties = optional.reduce(into: [String: JSONValue]()) { properties, field in
      properties[field.name] = field.schema.described(field.help).json
    }
    if case .object(let own) = schema.keywords["properties"] { properties.merge(own) { _, own in own } }
    // Forms with one tag have the same cases: their words and rules are written once.
    let rules = Schema(["allOf": .list(rules)]).named("\(tag)-rules")
    let words = Schema(["enum": .list(cases.map { .string($0.word) }), "description": .string(help)]).named(tag)
    properties[tag] = words.json
    schema.keywords["properties"] = .object(properties)
    var required: [JSONValue] = [.string(tag)]
    if case .list(let own) = schema.keywords["required"] { required += own }
    schema.keywords["required"] = .list(required)
    schema.keywords["allOf"] = .list(choices.map(\.rule) + [rules.json])
    schema.definitions.merge(Schema.definitions(of: optional.map(\.schema) + [rules, words])) { first, _ in first }
    schema.outline.words = cases.map { .init(name: $0.word, help: $0.help, keys: $0.fields.map(\.key)) }
    return schema
  }

  private var help: String { cases.map { "\($0.word): \($0.help)" }.joined(separator: "; ") }

  /// Which fields come with which words, for the schema.
  private var rules: [JSONValue] {
    var groups: [(words: [String], fields: [Field<Owner>])] = []
    for one in cases {
      let key = one.fields.map { "\($0.name) \($0.isRequired)" }
      if let index = groups.firstIndex(where: { $0.fields.map { "\($0.name) \($0.isRequired)" } == key }) {
        groups[index].words.append(one.word)
      } else {
        groups.append((words: [one.word], fields: one.fields))
      }
    }
    return groups.map { group in
      let own = Set(group.fields.map(\.name))
      let foreign = Set(cases.flatMap(\.fields).map(\.name)).subtracting(own)
      let required = group.fields.filter(\.isRequired).map { JSONValue.string($0.name) }
      var then: [String: JSONValue] = [
        "properties": .object(Dictionary(uniqueKeysWithValues: foreign.map { ($0, false) }))
      ]
      if !required.isEmpty { then["required"] = .list(required) }
      let words = JSONValue.list(group.words.map { .string($0) })
      return ["if": ["properties": .object([tag: ["enum": words]])], "then": .object(then)]
    }
  }
}
