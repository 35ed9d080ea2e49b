package import ScenarioFormat

/// The programs that a scenario can name, each with its variants.
package struct ProgramRegistry: Sendable {
  /// Builds one variant of a program.
  package typealias Make = MakeProgram

  private struct Entry {
    let program: String
    let variant: String
    let controls: [String]
    let steps: [String: [String]]?
    let make: Make
  }

  private var entries: [Entry] = []

  /// The programs of this engine: the list and the picture page, and the five systems.
  package static let shipped = PageSystem.all.reduce(
    ProgramRegistry().adding(Scenario.standardProgram) { ListAndPicture($0) }
  ) { registry, system in
    registry.adding(system.name, controls: system.controls, steps: system.steps, system.program())
  }

  /// A registry without programs.
  package init() {}

  /// The same with a further variant of a program, instead of an earlier one of the same name.
  ///
  /// - Parameters:
  ///   - controls: what a step `tap` can name.
  ///   - steps: the steps that it takes, each with the views that it can name; nil for all.
  package func adding(
    _ program: String, variant: String = Scenario.fixedVariant, controls: [String] = [],
    steps: [String: [String]]? = nil, _ make: @escaping Make
  ) -> ProgramRegistry {
    var registry = self
    registry.entries.removeAll { $0.program == program && $0.variant == variant }
    registry.entries.append(Entry(program: program, variant: variant, controls: controls, steps: steps, make: make))
    return registry
  }

  /// How the variant of a program is built; nil where there is none.
  package func make(_ program: String, variant: String) -> Make? {
    entries.first { $0.program == program && $0.variant == variant }?.make
  }

  /// How the program of a scenario is built.
  ///
  /// - Parameter program: what is built instead; nil for the one that the scenario names.
  static func make(_ program: Make?, for scenario: Scenario) -> Make {
    program ?? shipped.make(scenario.program, variant: Scenario.fixedVariant) ?? { ListAndPicture($0) }
  }

  /// The names that a scenario can use.
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
