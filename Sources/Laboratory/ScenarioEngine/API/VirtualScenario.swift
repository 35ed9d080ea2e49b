import EventBus
public import FetcherModel
public import Foundation
import PlainText
import ScenarioFormat

/// A scenario that runs on the virtual clock, where waiting takes no time and runs are repeatable.
///
/// Safe to use from any thread. The network is simulated, so no socket is opened.
public struct VirtualScenario: Sendable {
  private let scenario: Scenario
  private let source: SourceText
  private let folder: URL

  /// Reads and validates a scenario file.
  ///
  /// - Throws: ``InvalidScenario`` if the file is not readable, contains a mistake, or excludes the virtual clock.
  public init(contentsOf file: URL) throws(InvalidScenario) {
    let read: ScenarioFile
    do throws(UnreadableFile) {
      read = try ScenarioFile(path: file.path)
    } catch {
      throw InvalidScenario(description: error.message)
    }
    try self.init(read, folder: file.deletingLastPathComponent())
  }

  /// Validates the text of a scenario. Here, `name` does not have to match a file name.
  ///
  /// - Parameters:
  ///   - text: the scenario in JSON, as described in `scenarios/reference`.
  ///   - folder: the folder with the files that the scenario uses as response bodies.
  /// - Throws: ``InvalidScenario`` if the text contains a mistake or excludes the virtual clock.
  public init(_ text: String, folder: URL = URL(filePath: ".")) throws(InvalidScenario) {
    try self.init(
      ScenarioFile(
        SourceText(path: "scenario", bytes: Array(text.utf8)), vocabulary: .shipped,
        validateFile: { BodyFile(folder: folder.path + "/", name: $0).problem }), folder: folder)
  }

  private init(_ file: ScenarioFile, folder: URL) throws(InvalidScenario) {
    guard let scenario = file.scenario else {
      let report = DiagnosticReport(source: file.source, diagnostics: file.diagnostics)
      throw InvalidScenario(description: report.lines().joined(separator: "\n"))
    }
    guard scenario.clocks.contains(.virtual) else {
      throw InvalidScenario(description: "\(file.source.path): \"clocks\" excludes the virtual clock; add it")
    }
    self.scenario = scenario
    self.folder = folder
    source = file.source
  }

  /// The name that the file gives the scenario.
  public var name: String { scenario.name }

  /// The strategies that the file lists, or else the default strategy.
  public var strategies: [String] { scenario.plannedStrategies }

  /// Runs the scenario once with a built-in strategy, and judges the run.
  ///
  /// - Parameter strategy: one of `blocking`, `dataTask`, `downloadTask`, `async`, `socket`.
  /// - Throws: ``InvalidScenario`` if no such strategy exists.
  public func run(_ strategy: String) throws(InvalidScenario) -> ScenarioRun {
    let known = Vocabulary.shipped.strategies
    guard known.contains(strategy) else {
      throw InvalidScenario(description: "unknown strategy \(quoted(strategy)); the strategies are \(listed(known))")
    }
    return run(strategy, ProgramRegistry.make(nil, for: scenario)) { strategy }
  }

  /// Runs the scenario once with a custom strategy instead of those in the file, and judges the run.
  ///
  /// - Parameter makeStrategy: called once, on the main scheduler of the run. The strategy must use the runtime of the
  ///   context for all asynchronous work, and a strategy of the context for the network. Otherwise, the run is not repeatable, and its
  ///   outcome reports this.
  public func run(
    _ makeStrategy: @escaping @Sendable (StrategyContext) -> any FetchStrategy
  ) -> ScenarioRun {
    let made = Locked("")
    let program = ProgramRegistry.make(nil, for: scenario)
    let own: ProgramRegistry.Make = { context in
      let strategy = makeStrategy(StrategyContext(runtime: context.runtime, loader: context.loader))
      let name = strategy.name.description
      made.withLock { $0 = name }
      return program(context.with(strategy))
    }
    return run("", own) { made.withLock { $0 } }
  }

  /// - Parameter name: a closure that returns the name of the strategy, called after the run.
  private func run(_ strategy: String, _ program: @escaping ProgramRegistry.Make, name: () -> String) -> ScenarioRun {
    let record = VirtualScenarioRunner(scenario: scenario, folder: folder, program: program, showsBus: true).run(
      strategy)
    let outcome = ScenarioOutcome(of: scenario, source, strategy: name(), clock: .virtual, record)
    return ScenarioRun(outcome: outcome, timeline: Timeline(record, outcome).lines())
  }
}

/// The result of one run of a scenario.
public struct ScenarioRun: Sendable {
  /// Whether all rules held, and the failures if some did not.
  public let outcome: ScenarioOutcome
  /// The lines of a table of the events. The table has a row for each event and a column for each lane. Each failure
  /// follows the row of its event.
  public let timeline: [String]
}

/// The reason why a scenario cannot run: the problem, its position, and how to fix it.
public struct InvalidScenario: Error, CustomStringConvertible, Equatable {
  /// The human-readable message. For a mistake in the text, the message quotes the line and marks the mistake below it.
  public let description: String
}
