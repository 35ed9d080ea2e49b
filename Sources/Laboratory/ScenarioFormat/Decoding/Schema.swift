/// What a value of one kind can be: the JSON Schema and the reference are made of it.
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
  /// One that is defined once, under a name.
  case named(String, Schema)
  /// One that is defined elsewhere, under a name.
  case reference(String)
  /// One of which JSON Schema says more than people need.
  case noted(Schema, [String: JSONValue])

  /// What JSON Schema says of it.
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

  /// The same as a part of a larger schema.
  var json: JSONValue { .object(keywords) }

  /// What it refers to, by name.
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
  /// The objects that it can be; of a list, its elements.
  private var objects: [ObjectSchema] {
    if case .object(let object) = self { [object] } else { parts.flatMap(\.objects) }
  }

  /// The keys that these have, whatever word is in them.
  var keys: [ObjectSchema.Key] { objects.flatMap(\.keys) }

  /// The words that decide which further keys they have.
  var words: [ObjectSchema.Word] { objects.flatMap(\.words) }

  /// All keys that come with some word, each once.
  var keysOfWords: [ObjectSchema.Key] {
    words.flatMap(\.keys).reduce(into: []) { keys, key in
      if !keys.contains(where: { $0.name == key.name }) { keys.append(key) }
    }
  }

  /// What the value of a key can be.
  subscript(name: String) -> Schema { keys.first { $0.name == name }?.schema ?? .anything }
}
