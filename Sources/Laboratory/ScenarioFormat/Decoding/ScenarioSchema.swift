/// The JSON Schema of scenario files, made of the same table as the validation.
package enum ScenarioSchema {
  /// The whole schema.
  ///
  /// - Parameter vocabulary: the words that it allows as strategies.
  package static func json(_ vocabulary: Vocabulary) -> JSONValue {
    let schema = ScenarioForm.scenario.schema
    var keywords = schema.keywords
    keywords["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    keywords["title"] = "Scenario of fetcher, format 1"
    keywords["$defs"] = .object(
      schema.definitions.merging(["strategy-name": ["enum": .list(vocabulary.strategies.map { .string($0) })]]) { $1 })
    return .object(keywords)
  }
}
