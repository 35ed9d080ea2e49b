/// The JSON Schema of scenario files, made of the same table as the checks.
enum ScenarioSchema {
  /// The whole schema.
  static var json: JSONValue {
    let schema = ScenarioForm.scenario.schema
    var keywords = schema.keywords
    keywords["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    keywords["title"] = "Scenario of fetcher, format 1"
    keywords["$defs"] = .object(schema.definitions)
    return .object(keywords)
  }
}
