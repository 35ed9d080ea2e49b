/// What JSON Schema says of one kind of value, with the definitions that it refers to.
struct Schema: Sendable {
  var keywords: [String: JSONValue]
  var definitions: [String: JSONValue] = [:]
  /// The same for the reference, where the value is an object.
  var outline: Outline

  init(_ keywords: [String: JSONValue], _ definitions: [String: JSONValue] = [:], _ outline: Outline = Outline()) {
    self.keywords = keywords
    self.definitions = definitions
    self.outline = outline
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
    return Schema(["$ref": .string("#/$defs/\(name)")], definitions, outline)
  }

  /// Any of several.
  static func any(of schemas: [Schema]) -> Schema {
    let outline = Outline(keys: schemas.flatMap(\.outline.keys), words: schemas.flatMap(\.outline.words))
    return Schema(["anyOf": .list(schemas.map(\.json))], definitions(of: schemas), outline)
  }

  /// The definitions of several together.
  static func definitions(of schemas: [Schema]) -> [String: JSONValue] {
    schemas.reduce(into: [:]) { $0.merge($1.definitions) { first, _ in first } }
  }
}
