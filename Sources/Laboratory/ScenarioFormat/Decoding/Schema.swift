/// A description of the possible values of one kind. The JSON Schema and the reference are generated from these
/// descriptions.
indirect enum Schema: Sendable {
  case anything
  case flag
  case integer(ClosedRange<Int>)
  case number(ClosedRange<Double>)
  case text
  case words([String])
  case list(of: Schema, count: ClosedRange<Int>)
  case object(ObjectSchema)
  case either([Schema])
  /// A schema that is defined only once, under a name.
  case named(String, Schema)
  /// A reference to a named schema.
  case reference(String)
  /// A schema with additional keywords that the human-readable reference omits.
  case noted(Schema, [String: JSONValue])

  /// The keywords of the corresponding JSON Schema.
  var keywords: [String: JSONValue] {
    switch self {
    case .anything: return [:]
    case .flag: return ["type": "boolean"]
    case .integer(let range):
      return ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    case .number(let range):
      return ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
    case .text: return ["type": "string"]
    case .words(let words): return ["type": "string", "enum": .list(words.map { .string($0) })]
    case .list(let element, let count):
      var keywords: [String: JSONValue] = ["type": "array", "items": element.json]
      if count.lowerBound > 0 { keywords["minItems"] = .integer(count.lowerBound) }
      if count.upperBound < Int.max { keywords["maxItems"] = .integer(count.upperBound) }
      return keywords
    case .object(let object): return object.keywords
    case .either(let schemas): return ["anyOf": .list(schemas.map(\.json))]
    case .named(let name, _), .reference(let name): return ["$ref": .string("#/$defs/\(name)")]
    case .noted(let schema, let more): return schema.keywords.merging(more) { $1 }
    }
  }

  /// This schema as JSON Schema, for use within a larger one.
  var json: JSONValue { .object(keywords) }

  /// The definitions to which the schema refers, keyed by name.
  var definitions: [String: JSONValue] {
    var definitions: [String: JSONValue] = [:]
    if case .named(let name, let schema) = self { definitions[name] = schema.json }
    if case .object(let object) = self { definitions = object.definitions }
    return parts.reduce(into: definitions) { $0.merge($1.definitions) { first, _ in first } }
  }

  private var parts: [Schema] {
    switch self {
    case .list(let schema, _), .named(_, let schema), .noted(let schema, _): [schema]
    case .object(let object): (object.keys + object.words.flatMap(\.keys)).map(\.schema)
    case .either(let schemas): schemas
    case .anything, .flag, .integer, .number, .text, .words, .reference: []
    }
  }
}

extension Schema {
  /// Returns whether the schema allows the type of a value, regardless of its content.
  func fits(_ node: JSONNode) -> Bool {
    switch (self, node.content) {
    case (.anything, _), (.reference, _), (_, .unreadable), (.flag, .bool), (.integer, .number), (.number, .number),
      (.text, .string), (.words, .string), (.list, .list), (.object, .object):
      true
    case (.either(let schemas), _): schemas.contains { $0.fits(node) }
    case (.named(_, let schema), _), (.noted(let schema, _), _): schema.fits(node)
    default: false
    }
  }

  /// The names of all keys of the objects in this schema, whatever their words are.
  var names: Set<String> { Set((keys + keysOfWords).map(\.name) + objects.compactMap(\.tag)) }

  /// The object schemas in this schema. For a list, they describe its elements.
  private var objects: [ObjectSchema] {
    if case .object(let object) = self { [object] } else { parts.flatMap(\.objects) }
  }

  /// The keys of the object schemas that do not depend on a word.
  var keys: [ObjectSchema.Key] { objects.flatMap(\.keys) }

  /// The words that determine which other keys exist.
  var words: [ObjectSchema.Word] { objects.flatMap(\.words) }

  /// All keys that belong to any of the words, without duplicates.
  var keysOfWords: [ObjectSchema.Key] {
    words.flatMap(\.keys).reduce(into: []) { keys, key in
      if !keys.contains(where: { $0.name == key.name }) { keys.append(key) }
    }
  }

  /// Returns the schema of a key's value.
  subscript(name: String) -> Schema { keys.first { $0.name == name }?.schema ?? .anything }
}

/// The schema of an object, in the order of its field table.
struct ObjectSchema: Sendable {
  struct Key: Sendable {
    let name: String
    /// A one-sentence description for authors of scenarios.
    var help: String
    var isRequired = false
    /// The schema of the key's value.
    let schema: Schema
  }

  /// A word that determines which other keys exist.
  struct Word: Sendable {
    let name: String
    let help: String
    /// The keys of this word, in addition to the common keys.
    let keys: [Key]
  }

  /// The keys that all words share.
  var keys: [Key] = []
  /// The key that contains the word, or nil if there is none.
  var tag: String?
  var words: [Word] = []
  var choices: [Choice] = []

  /// The keywords of the corresponding JSON Schema.
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

  /// The definitions of the words and their rules. Objects with the same tag share these definitions, so each
  /// definition is written only once.
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

  /// Returns rules that list the keys that each word allows and requires.
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
