package import ScenarioFormat

/// The programs that a scenario can name, each with its variants.
package struct ProgramRegistry: Sendable {
  /// Builds one variant of a program.
  package typealias Make = @Sendable (ProgramContext) -> any Program

  private struct Entry {
    let program: String
    let variant: String
    let make: Make
  }

  private var entries: [Entry] = []

  /// The programs of this engine: the list and the picture page.
  package static let shipped = ProgramRegistry().adding(Scenario.standardProgram) { ListAndPicture($0) }

  /// A registry without programs.
  package init() {}

  /// The same with a further variant of a program, in place of an earlier one of the same name.
  package func adding(
    _ program: String, variant: String = Scenario.fixedVariant, _ make: @escaping Make
  ) -> ProgramRegistry {
    var registry = self
    registry.entries.removeAll { $0.program == program && $0.variant == variant }
    registry.entries.append(Entry(program: program, variant: variant, make: make))
    return registry
  }

  /// How the variant of a program is built; nil where there is none.
  package func make(_ program: String, variant: String) -> Make? {
    entries.first { $0.program == program && $0.variant == variant }?.make
  }

  /// The names that a scenario can use.
  package func vocabulary(_ strategies: [String], explores: Bool = false) -> Vocabulary {
    let programs = entries.reduce(into: [(name: String, variants: [String])]()) { programs, entry in
      if let index = programs.firstIndex(where: { $0.name == entry.program }) {
        programs[index].variants.append(entry.variant)
      } else {
        programs.append((entry.program, [entry.variant]))
      }
    }
    return Vocabulary(
      strategies: strategies, programs: programs.map { Vocabulary.Program(name: $0.name, variants: $0.variants) },
      explores: explores)
  }
}
