/// The words of a scenario that come from the program that runs it, not from the format.
package struct Vocabulary: Sendable {
  /// A program that a scenario can name, with its variants.
  package struct Program: Sendable {
    package let name: String
    package let variants: [String]
    /// What a step `tap` can name.
    package let controls: [String]

    package init(name: String, variants: [String], controls: [String] = []) {
      self.name = name
      self.variants = variants
      self.controls = controls
    }
  }

  /// The strategies that a scenario can name.
  package let strategies: [String]
  package let programs: [Program]
  /// The lessons that a scenario can belong to; nil where nobody knows them.
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
}
