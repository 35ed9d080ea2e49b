/// What JSON Schema says of one kind of value, with the definitions that it refers to.
struct Schema: Sendable {
  var keywords: [String: JSONValue]
  var definitions: [String: JSONValue] = [:]

  init(_ keywords: [String: JSONValue], _ definitions: [String: JSONValue] = [:]) {
    self.keywords = keywords
    self.definitions = definitions
  }

  /// As a part of a larger schema.
  var json: JSONValue { .object(keywords) }

  /// The same with a sentence of explanation.
  func described(_ text: String) -> Schema {
    var schema = self
    schema.keywords["description"] = .string(text)
    return schema
  }

  /// A reference to the same under a name.
  func named(_ name: String) -> Schema {
    var definitions = definitions
    definitions[name] = json
    return Schema(["$ref": .string("#/$defs/\(name)")], definitions)
  }

  /// Any of several.
  static func any(of schemas: [Schema]) -> Schema {
    Schema(["anyOf": .list(schemas.map(\.json))], definitions(of: schemas))
  }

  /// The definitions of several together.
  static func definitions(of schemas: [Schema]) -> [String: JSONValue] {
    schemas.reduce(into: [:]) { $0.merge($1.definitions) { first, _ in first } }
  }
}
