public import EventBus
public import FetcherModel
public import Foundation
import ScenarioFormat

/// A scenario on the virtual clock, where waiting takes no time and every run is the same.
///
/// Any thread. The network is simulated: no socket is opened.
public struct VirtualScenario: Sendable {
  private let scenario: Scenario
  private let source: SourceText
  private let folder: URL

  /// Reads and validates a scenario file.
  ///
  /// - Throws: ``InvalidScenario`` where it cannot be read, has a mistake, or leaves out the virtual clock.
  public init(contentsOf file: URL) throws(InvalidScenario) {
    let read: ScenarioFile
    do throws(UnreadableFile) {
      read = try ScenarioFile(path: file.path)
    } catch {
      throw InvalidScenario(description: error.message)
    }
    try self.init(read, folder: file.deletingLastPathComponent())
  }

  /// Validates the text of a scenario, whose `name` may be any.
  ///
  /// - Parameters:
  ///   - text: JSON, as `scenarios/README.md` describes it.
  ///   - folder: where the files are that it names as bodies.
  /// - Throws: ``InvalidScenario`` where it has a mistake, or leaves out the virtual clock.
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
      throw InvalidScenario(description: "\(file.source.path): \"clocks\" leaves out the virtual clock; add it")
    }
    self.scenario = scenario
    self.folder = folder
    source = file.source
  }

  /// The name that the file gives it.
  public var name: String { scenario.name }

  /// The strategies that the file asks for, or the standard one where it asks for none.
  public var strategies: [String] { scenario.plannedStrategies }

  /// Runs once with a strategy that ships, and judges the run.
  ///
  /// - Parameter strategy: one of `blocking`, `dataTask`, `downloadTask`, `async`, `socket`.
  /// - Throws: ``InvalidScenario`` where there is no such strategy.
  public func run(_ strategy: String) throws(InvalidScenario) -> ScenarioRun {
    let known = Vocabulary.shipped.strategies
    guard known.contains(strategy) else {
      throw InvalidScenario(description: "unknown strategy \(quoted(strategy)); there are \(listed(known))")
    }
    return run(strategy, ProgramRegistry.make(nil, for: scenario)) { strategy }
  }

  /// Runs once with a strategy of yours instead of those that the file names, and judges the run.
  ///
  /// - Parameter makeStrategy: is called once, on the main scheduler of the run. The strategy must do all that happens
  ///   later or elsewhere through that runtime, and reach the network through that loader: otherwise the run is not
  ///   the same every time, which its outcome reports.
  public func run(
    _ makeStrategy: @escaping @Sendable (any Runtime, any NetworkLoader) -> any FetchStrategy
  ) -> ScenarioRun {
    let made = Locked("")
    let program = ProgramRegistry.make(nil, for: scenario)
    let own: ProgramRegistry.Make = { context in
      let strategy = makeStrategy(context.runtime, context.loader)
      let name = strategy.name.description
      made.withLock { $0 = name }
      return program(context.with(strategy))
    }
    return run("", own) { made.withLock { $0 } }
  }

  /// - Parameter name: asked after the run, what the strategy is called.
  private func run(_ strategy: String, _ program: @escaping ProgramRegistry.Make, name: () -> String) -> ScenarioRun {
    let record = VirtualScenarioRunner(scenario: scenario, folder: folder, program: program, showsBus: true).run(
      strategy)
    let outcome = ScenarioOutcome(of: scenario, source, strategy: name(), clock: .virtual, record)
    return ScenarioRun(outcome: outcome, timeline: Timeline(record, outcome).lines())
  }
}

/// What one run of a scenario gave.
public struct ScenarioRun: Sendable {
  /// Whether everything held, and what did not.
  public let outcome: ScenarioOutcome
  /// What happened, as a table of lines: a row for each event, a column for each lane, and what is wrong below the row
  /// that shows it.
  public let timeline: [String]
}

/// Why a scenario cannot be run: what is wrong, where, and what to do about it.
public struct InvalidScenario: Error, CustomStringConvertible, Equatable {
  /// For people: of a mistake in the text the line with marks below it.
  public let description: String
}
