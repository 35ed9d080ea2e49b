/// A scenario file: its text, its scenario, and its problems.
package struct ScenarioFile: Sendable {
  package let source: SourceText
  /// Nil if the file is invalid.
  package let scenario: Scenario?
  /// In file order. If there is a scenario, these are only warnings.
  package let diagnostics: [Diagnostic]

  /// Decodes a text.
  ///
  /// - Parameters:
  ///   - name: the required name of the scenario, or nil for any.
  ///   - vocabulary: the words of the engine.
  ///   - validateFile: returns the reason why a file in the scenario cannot be served, or nil.
  package init(
    _ source: SourceText, name: String? = nil, vocabulary: Vocabulary,
    validateFile: @escaping @Sendable (String) -> FileProblem? = { _ in nil }
  ) {
    var diagnostics = Diagnostics()
    let root = JSONParser.parse(source, &diagnostics)
    var reading = Reading(diagnostics, vocabulary, name: name, validateFile: validateFile)
    let scenario = root.flatMap { root in
      let root = Repetition.writtenOut(root, &reading)
      UnknownIndex.report(in: root, &reading)
      reading.declared = Declarations(root)
      return ScenarioForm.scenario.read(root, &reading)
    }
    self.source = source
    self.scenario = reading.diagnostics.hasErrors ? nil : scenario
    self.diagnostics = reading.diagnostics.all
  }
}
