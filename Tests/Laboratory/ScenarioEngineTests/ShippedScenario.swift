import EventBus
import Foundation
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// A scenario of the repository, with the name of its file.
struct ShippedScenario: Sendable, CustomTestStringConvertible {
  static let folder = packageRoot.appending(path: "scenarios")

  /// All scenarios in the top folder, in alphabetical order.
  static let all: [ShippedScenario] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") && $0 != "scenario.schema.json" }.sorted().compactMap { name in
      guard let file = try? ScenarioFile(path: folder.appending(path: name).path) else { return nil }
      return ShippedScenario(name: String(name.dropLast(".json".count)), file: file)
    }
  }()

  /// The scenarios that must give the same run on both clocks.
  static let comparable = all.filter { shipped in
    shipped.file.scenario.map { $0.timing == .exact && $0.clocks.contains(.real) && $0.clocks.contains(.virtual) }
      ?? false
  }

  let name: String
  let file: ScenarioFile
  var testDescription: String { name }

  /// The scenario in the file. Throws if the file is invalid.
  var scenario: Scenario {
    get throws {
      try #require(
        file.scenario, "\(DiagnosticReport(source: file.source, diagnostics: file.diagnostics).lines())")
    }
  }

  private static let runs = Locked<[String: RunRecord]>([:])

  /// Returns a run on the virtual clock. The suites share it, because each run is the same: see `DeterminismTests`.
  func runVirtually(_ strategy: String) throws -> RunRecord {
    let key = "\(name) \(strategy)"
    if let record = Self.runs.withLock({ $0[key] }) { return record }
    let record = try scenario.runVirtually(strategy)
    Self.runs.withLock { $0[key] = record }
    return record
  }

  /// Returns the outcome of a run, for the judge.
  func outcome(_ strategy: String, _ clock: Scenario.Clock, _ record: RunRecord) throws -> ScenarioOutcome {
    ScenarioOutcome(of: try scenario, file.source, strategy: strategy, clock: clock, record)
  }
}

extension Scenario {
  /// Runs on the virtual clock.
  func runVirtually(_ strategy: String) -> RunRecord {
    VirtualScenarioRunner(scenario: self, folder: ShippedScenario.folder).run(strategy)
  }
}
