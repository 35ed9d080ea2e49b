/// A scenario file: its text, what it says, and what is wrong with it.
package struct ScenarioFile: Sendable {
  package let source: SourceText
  /// Nil if the file is invalid.
  package let scenario: Scenario?
  /// In the order of the file; warnings only if there is a scenario.
  package let diagnostics: [Diagnostic]

  /// Decodes a text.
  ///
  /// - Parameters:
  ///   - name: what the scenario must be called; nil for anything.
  ///   - vocabulary: the words that come from the engine.
  ///   - validateFile: asked about each file that the scenario names; why it cannot be served, or nil.
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
