/// What an object consists of, in the order of its table of fields.
struct ObjectSchema: Sendable {
  struct Key: Sendable {
    let name: String
    /// One sentence for people who write scenarios.
    var help: String
    var isRequired = false
    /// What its value must be.
    let schema: Schema
  }

  /// One of the words that decide which further keys there are.
  struct Word: Sendable {
    let name: String
    let help: String
    /// The keys that come with it, beside the common ones.
    let keys: [Key]
  }

  /// The keys that it has whatever the word.
  var keys: [Key] = []
  /// The key with the word; nil where no word decides.
  var tag: String?
  var words: [Word] = []
  var choices: [Choice] = []

  /// What JSON Schema says of it.
  var keywords: [String: JSONValue] {
    var keywords: [String: JSONValue] = ["type": "object", "additionalProperties": false]
    var properties = Dictionary(
      (keys + words.flatMap(\.keys)).map { key in
        (key.name, JSONValue.object(key.schema.keywords.merging(["description": .string(key.help)]) { $1 }))
      }, uniquingKeysWith: { first, _ in first })
    var required = Self.required(keys)
    var rules = choices.map(\.rule)
    if let tag {
      properties[tag] = Schema.reference(tag).json
      required.insert(.string(tag), at: 0)
      rules.append(Schema.reference(Self.rules(of: tag)).json)
    }
    if !properties.isEmpty { keywords["properties"] = .object(properties) }
    if !required.isEmpty { keywords["required"] = .list(required) }
    if !rules.isEmpty { keywords["allOf"] = .list(rules) }
    return keywords
  }

  /// Its words and their rules: objects with one tag have the same, which are written once.
  var definitions: [String: JSONValue] {
    guard let tag else { return [:] }
    let help = words.map { "\($0.name): \($0.help)" }.joined(separator: "; ")
    return [
      tag: ["enum": .list(words.map { .string($0.name) }), "description": .string(help)],
      Self.rules(of: tag): ["allOf": .list(rules(tag))],
    ]
  }

  private static func rules(of tag: String) -> String { "\(tag)-rules" }

  private static func required(_ keys: [Key]) -> [JSONValue] {
    keys.filter(\.isRequired).map { .string($0.name) }
  }

  /// Which keys come with which words.
  private func rules(_ tag: String) -> [JSONValue] {
    var groups: [(words: [JSONValue], keys: [Key])] = []
    for word in words {
      let names = word.keys.map { "\($0.name) \($0.isRequired)" }
      if let index = groups.firstIndex(where: { $0.keys.map { "\($0.name) \($0.isRequired)" } == names }) {
        groups[index].words.append(.string(word.name))
      } else {
        groups.append((words: [.string(word.name)], keys: word.keys))
      }
    }
    let all = Set(words.flatMap(\.keys).map(\.name))
    return groups.map { group in
      let foreign = all.subtracting(group.keys.map(\.name))
      var then: [String: JSONValue] = [
        "properties": .object(Dictionary(uniqueKeysWithValues: foreign.map { ($0, false) }))
      ]
      let required = Self.required(group.keys)
      if !required.isEmpty { then["required"] = .list(required) }
      return ["if": ["properties": .object([tag: ["enum": .list(group.words)]])], "then": .object(then)]
    }
  }
}
