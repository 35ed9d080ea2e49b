import Comparison
import Foundation
import ScenarioEngine
import ScenarioFormat

/// Runs the shipped scenarios with every strategy on the virtual clock. It skips subfolders, because they belong to
/// users.
struct BehaviorRuns: Sendable {
  let folder: URL

  /// Returns the scenarios folder in the working directory, or in the package from which the executable was built.
  static func find(executable: URL?) -> URL? {
    let locations =
      [URL(filePath: FileManager.default.currentDirectoryPath)]
      + (executable.map { parents(of: $0.resolvingSymlinksInPath()) } ?? [])
    return locations.map { $0.appending(path: "scenarios") }.first { folder in
      FileManager.default.fileExists(atPath: folder.appending(path: ScenarioPaths.schemaName).path)
    }
  }

  private static func parents(of file: URL) -> [URL] {
    var folder = file.deletingLastPathComponent()
    var found: [URL] = []
    while folder.path != "/", found.count < 8 {
      found.append(folder)
      folder = folder.deletingLastPathComponent()
    }
    return found
  }

  /// Runs every scenario with every strategy, in order, regardless of the strategies that a file names.
  func cells(_ strategies: [String]) throws -> [BehaviorCell] {
    let paths = try ScenarioPaths.expand([folder.path]).filter {
      $0.dropFirst(folder.path.count + 1).allSatisfy { $0 != "/" }
    }
    return try paths.flatMap { path -> [BehaviorCell] in
      let file = try ScenarioFile(path: path)
      guard let scenario = file.scenario, scenario.clocks.contains(.virtual) else { return [] }
      let runner = VirtualScenarioRunner(scenario: scenario, folder: URL(filePath: path).deletingLastPathComponent())
      return strategies.map { strategy in
        let outcome = ScenarioOutcome(
          of: scenario, file.source, strategy: strategy, clock: .virtual, runner.run(strategy))
        let failure = outcome.failures.first { $0.why != nil } ?? outcome.failures.first
        // If a scenario names a single strategy, for example because its steps switch strategies, its result is
        // meaningless for the other strategies.
        let isAboutOther = scenario.strategies.count == 1 && scenario.strategies != [strategy]
        return BehaviorCell(
          scenario: scenario.name, title: scenario.title, strategy: strategy,
          verdict: outcome.ok ? .holds : isAboutOther ? .other : .breaks,
          failure: failure?.message, why: failure?.why)
      }
    }
  }
}
