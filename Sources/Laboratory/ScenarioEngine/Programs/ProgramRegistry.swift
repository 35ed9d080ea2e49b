package import ScenarioFormat

/// The programs that a scenario can name, each with one or more variants.
package struct ProgramRegistry: Sendable {
  /// A closure that builds one variant of a program.
  package typealias Make = MakeProgram

  private struct Entry {
    let program: String
    let variant: String
    let controls: [String]
    let steps: [String: [String]]?
    let make: Make
  }

  private var entries: [Entry] = []

  /// The name of the variant of the list and picture pages that has a bug, for tests and lessons.
  package static let brokenVariant = "broken"

  /// The programs of this engine: the list and picture pages, and the five systems.
  package static let shipped = PageSystem.all.reduce(
    ProgramRegistry().adding(Scenario.standardProgram) { ListAndPicture($0) }
      .adding(Scenario.standardProgram, variant: brokenVariant) { ListAndPicture($0, isBroken: true) }
  ) { registry, system in
    registry.adding(system.name, controls: system.controls, steps: system.steps, system.program())
  }

  /// Creates a registry without programs.
  package init() {}

  /// Returns a copy of this registry with an additional variant of a program. An existing variant with the same name
  /// is replaced.
  ///
  /// - Parameters:
  ///   - controls: the controls that a `tap` step can name.
  ///   - steps: the steps that the program supports, keyed by name, or nil for all steps. Each value lists the views
  ///     that the step can name.
  package func adding(
    _ program: String, variant: String = Scenario.fixedVariant, controls: [String] = [],
    steps: [String: [String]]? = nil, _ make: @escaping Make
  ) -> ProgramRegistry {
    var registry = self
    registry.entries.removeAll { $0.program == program && $0.variant == variant }
    registry.entries.append(Entry(program: program, variant: variant, controls: controls, steps: steps, make: make))
    return registry
  }

  /// Returns the factory of a program variant, or nil if there is no such variant.
  package func make(_ program: String, variant: String) -> Make? {
    entries.first { $0.program == program && $0.variant == variant }?.make
  }

  /// Returns the factory of a scenario's program.
  ///
  /// - Parameter program: another program to use, or nil for the scenario's own program.
  static func make(_ program: Make?, for scenario: Scenario) -> Make {
    program ?? shipped.make(scenario.program, variant: Scenario.fixedVariant) ?? { ListAndPicture($0) }
  }

  /// The names of programs, variants and strategies that scenarios can use.
  package func vocabulary(_ strategies: [String]) -> Vocabulary {
    let names = entries.map(\.program)
    let programs = names.indices.filter { names.firstIndex(of: names[$0]) == $0 }.map { index in
      let variants = entries.filter { $0.program == names[index] }.map(\.variant)
      return Vocabulary.Program(
        name: names[index], variants: variants, controls: entries[index].controls, steps: entries[index].steps)
    }
    return Vocabulary(strategies: strategies, programs: programs)
  }
}
