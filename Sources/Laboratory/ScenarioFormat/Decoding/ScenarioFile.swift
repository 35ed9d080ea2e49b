/// A scenario file with its text, its scenario and its problems.
package struct ScenarioFile: Sendable {
  package let source: SourceText
  /// The decoded scenario, or nil if the file is invalid.
  package let scenario: Scenario?
  /// The problems, in file order. If the file is valid, all problems are warnings.
  package let diagnostics: [Diagnostic]

  /// Decodes the text of a scenario.
  ///
  /// - Parameters:
  ///   - name: the required name of the scenario, or nil if any name is allowed.
  ///   - vocabulary: the words that the engine defines.
  ///   - validateFile: a closure that returns the reason why a file in the scenario cannot be served, or nil.
  package init(
    _ source: SourceText, name: String? = nil, vocabulary: Vocabulary,
    validateFile: @escaping @Sendable (String) -> FileProblem? = { _ in nil }
  ) {
    var diagnostics = Diagnostics()
    let root = JSONParser.parse(source, &diagnostics)
    var reading = Reading(source, diagnostics, vocabulary, name: name, validateFile: validateFile)
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
