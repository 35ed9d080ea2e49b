/// The words in a scenario that are defined by the engine, not by the format.
package struct Vocabulary: Sendable {
  /// A program that a scenario can name, with its variants.
  package struct Program: Sendable {
    package let name: String
    package let variants: [String]
    /// The controls that a `tap` step can name.
    package let controls: [String]
    /// The steps that the program supports, keyed by name. Each value lists the views that the step can name. Nil if
    /// all steps are supported with any view.
    package let steps: [String: [String]]?

    package init(name: String, variants: [String], controls: [String] = [], steps: [String: [String]]? = nil) {
      self.name = name
      self.variants = variants
      self.controls = controls
      self.steps = steps
    }
  }

  /// The strategies that a scenario can name.
  package let strategies: [String]
  package let programs: [Program]
  /// The lessons that a scenario can belong to, or nil if they are unknown.
  package var lessons: [String]?

  package init(
    strategies: [String],
    programs: [Program] = [Program(name: Scenario.standardProgram, variants: [Scenario.fixedVariant])],
    lessons: [String]? = nil
  ) {
    self.strategies = strategies
    self.programs = programs
    self.lessons = lessons
  }

  /// Returns the program with this name, or nil if there is none.
  func program(_ name: String) -> Program? { programs.first { $0.name == name } }
}
