/// Steps that are not part of a file, such as those of a person, with their problems. They are decoded exactly like the
/// steps of a file.
package struct DecodedSteps: Sendable {
  package let source: SourceText
  /// The steps, or nil if one of them is invalid.
  package let steps: [(action: Scenario.Action, json: JSONValue)]?
  package let diagnostics: [Diagnostic]

  /// Decodes one step, or a list of steps.
  ///
  /// - Parameters:
  ///   - scenario: the scenario whose images and program the steps can name.
  ///   - vocabulary: the words that the engine defines.
  ///   - validateFile: a closure that returns the reason why a file in a response cannot be served, or nil.
  package init(
    _ source: SourceText, for scenario: Scenario, vocabulary: Vocabulary,
    validateFile: @escaping @Sendable (String) -> FileProblem?
  ) {
    var diagnostics = Diagnostics()
    let root = JSONParser.parse(source, &diagnostics)
    var reading = Reading(source, diagnostics, vocabulary, name: nil, validateFile: validateFile)
    reading.declared = Declarations(images: scenario.images.map(\.id), program: scenario.program)
    var steps: [(action: Scenario.Action, json: JSONValue)] = []
    if let root {
      var nodes = [root]
      if case .list(let elements) = root.content { nodes = elements }
      for node in nodes {
        if let step = StepForm.step.read(node, &reading) { steps.append((step.action, JSONValue(node))) }
      }
    }
    self.source = source
    self.steps = reading.diagnostics.hasErrors || root == nil ? nil : steps
    self.diagnostics = reading.diagnostics.all
  }
}
