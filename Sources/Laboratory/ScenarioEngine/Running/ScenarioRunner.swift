package import EventBus
package import Foundation
package import OriginServer
package import ScenarioFormat

/// Runs a scenario with one strategy on the real clock, using real sockets.
package struct ScenarioRunner: Sendable {
  private let scenario: Scenario
  private let makeNetwork: @Sendable () -> any ScenarioNetwork
  private let runtime: any Runtime
  private let program: ProgramRegistry.Make
  private let timeout: Duration
  private let tracesClosures: Bool
  private let showsBus: Bool
  private let onRecord: (@Sendable (RunEvent) -> Void)?

  /// - Parameters:
  ///   - folder: the folder that contains the scenario's file.
  ///   - origin: the server that serves the scenario during the run.
  ///   - program: the factory of the program, or nil for the scenario's own program.
  ///   - timeout: the maximum time between steps, or after the last step, before the run is cut off.
  ///   - tracesClosures: whether to record all closures and the number of subscriptions.
  ///   - showsBus: whether to record all bus events, even those that no pattern names.
  ///   - onRecord: called with each recorded event, on the thread on which the event happened.
  package init(
    scenario: Scenario, folder: URL, origin: OriginServer, runtime: any Runtime = DispatchRuntime.shared,
    program: ProgramRegistry.Make? = nil, timeout: Duration = .seconds(10),
    tracesClosures: Bool = false, showsBus: Bool = false, onRecord: (@Sendable (RunEvent) -> Void)? = nil
  ) {
    self.init(scenario, runtime, program, timeout, tracesClosures, showsBus, onRecord) {
      OriginNetwork(origin, scenario, folder: folder)
    }
  }

  /// Runs a scenario's steps against a server outside the scenario.
  ///
  /// - Parameters:
  ///   - program: the factory of the program, configured with the server's settings.
  ///   - timeout: the maximum time between steps, or after the last step, before the run is cut off.
  ///   - showsBus: whether to record all bus events, even those that no pattern names.
  package init(
    scenario: Scenario, against program: @escaping ProgramRegistry.Make,
    runtime: any Runtime = DispatchRuntime.shared, timeout: Duration, showsBus: Bool = false
  ) {
    self.init(scenario, runtime, program, timeout, false, showsBus, nil) { ForeignNetwork() }
  }

  /// Runs a scenario against an origin in another process.
  package init(scenario: Scenario, served network: ServedNetwork, runtime: any Runtime) {
    self.init(scenario, runtime, nil, .seconds(10), false, false, nil) { network }
  }

  private init(
    _ scenario: Scenario, _ runtime: any Runtime, _ program: ProgramRegistry.Make?, _ timeout: Duration,
    _ tracesClosures: Bool, _ showsBus: Bool, _ onRecord: (@Sendable (RunEvent) -> Void)?,
    _ makeNetwork: @escaping @Sendable () -> any ScenarioNetwork
  ) {
    self.scenario = scenario
    self.makeNetwork = makeNetwork
    self.runtime = runtime
    self.program = ProgramRegistry.make(program, for: scenario)
    self.timeout = timeout
    self.tracesClosures = tracesClosures
    self.showsBus = showsBus
    self.onRecord = onRecord
  }

  /// Runs the scenario once, and records everything.
  package func run(_ strategy: String) async -> RunRecord {
    let network = makeNetwork()
    let log = tracesClosures ? ActivityLog(runtime) : nil
    let turns = TurnCountingRuntime(runtime)
    let session = ScenarioSession(
      scenario, strategy: strategy, program, on: turns.traced(by: log), network, log, showsBus: showsBus,
      turn: { turns.turn }, onRecord: onRecord, timeout: timeout)
    let isWatched = scenario.expectations.contains { if case .stall = $0.kind { true } else { false } }
    let watch = isWatched ? MainWatch(runtime) : nil
    let termination = await withCheckedContinuation { continuation in
      runtime.scheduleOnMain {
        session.start { continuation.resume(returning: $0) }
      }
    }
    var record = await runtime.onMain { session.record }
    record.termination = termination
    record.longestStall = await watch?.stop() ?? .zero
    record.leaks = await leaks(session)
    record.activity = log?.activity ?? Activity()
    return record
  }

  /// Releases everything, and briefly waits for work that is about to end.
  private func leaks(_ session: ScenarioSession) async -> Scenario.Leaks {
    var leaks = await runtime.onMain {
      session.close()
      return session.leaks
    }
    for _ in 0..<100 where leaks != Scenario.Leaks() {
      await runtime.pause(.milliseconds(10))
      leaks = await runtime.onMain { session.leaks }
    }
    return leaks
  }
}

extension Scenario {
  /// The name of the default strategy.
  package static let standardStrategy = "dataTask"

  /// The strategies that the file lists, or else the default strategy.
  package var plannedStrategies: [String] { strategies.isEmpty ? [Self.standardStrategy] : strategies }
}
