package import EventBus
import FetcherModel
package import Foundation
package import OriginServer
package import ScenarioFormat

/// A session on the real clock whose steps come from a person, one at a time. The scenario provides the program, the
/// images, the origin and, if it is played, further steps.
@MainActor package final class LiveScenario {
  /// The maximum number of events. The session records nothing after them.
  package nonisolated static let maximumEvents = 200_000

  private let session: ScenarioSession
  private let base: Scenario
  private let recorder: TraceRecorder

  /// - Parameters:
  ///   - folder: the folder that contains the body files.
  ///   - origin: the server that serves the scenario during the session.
  ///   - program: the factory of the program, or nil for the scenario's own program.
  ///   - onRecord: called with each recorded event, on the thread on which the event happened.
  package nonisolated init(
    _ scenario: Scenario, folder: URL, strategy: String, origin: OriginServer,
    runtime: any Runtime = DispatchRuntime.shared, program: ProgramRegistry.Make? = nil,
    onRecord: @escaping @Sendable (RunEvent) -> Void
  ) {
    base = scenario
    let turns = TurnCountingRuntime(runtime)
    // A step may add a fault to any response, so the origin never reuses a connection.
    let network = OriginNetwork(origin, scenario, folder: folder, closesConnections: true)
    session = ScenarioSession(
      scenario, strategy: strategy, ProgramRegistry.make(program, for: scenario), on: turns, network, bus: .events,
      most: Self.maximumEvents, turn: { turns.turn }, onRecord: onRecord, timeout: .seconds(30))
    recorder = session.recorder
  }

  /// Builds the program.
  package func open() { session.open() }

  /// Performs a step now.
  package func perform(_ action: Scenario.Action) { session.perform(action) }

  /// Plays the scenario's own steps, each at its time.
  ///
  /// - Parameter onEnd: called once, with whether the steps were complete.
  package func play(onEnd: @escaping @MainActor (Bool) -> Void) { session.play { onEnd($0 == nil) } }

  /// Releases everything. Fetches in flight are cancelled.
  package func close() { session.close() }

  /// The content of each view.
  package var screens: [ProgramScreen] { session.screens }

  /// Whether no work in flight can still change the visible content.
  package var isIdle: Bool { session.isIdle }

  /// The events so far, and the current state.
  package var record: RunRecord { session.record }

  /// The scenario with the steps that were performed.
  package var played: Scenario {
    var scenario = base
    scenario.steps = session.steps
    return scenario
  }

  /// The time since the session began.
  package nonisolated var now: Duration { recorder.now }

  /// The number of events so far.
  package nonisolated var count: Int { recorder.count }

  /// The events at and after this position.
  package nonisolated func events(from position: Int) -> [RunEvent] { recorder.events(from: position) }

  /// The violations of the invariants so far, each with the position of its event. Work in flight does not violate an invariant.
  package nonisolated static func violations(
    of scenario: Scenario, in record: RunRecord
  ) -> [(rule: String, message: String, position: Int?)] {
    var record = record
    record.termination = .outOfTime(next: nil)
    return InvariantJudge.allViolations(of: scenario, in: record).map { ($0.subject, $0.message, $0.position) }
  }

  /// The failures of expectations about a session that has ended, each on one line.
  package nonisolated static func failures(
    of expectations: [Scenario.Expectation], in record: RunRecord
  ) -> [String] {
    let judge = ExpectationJudge(record: record)
    return expectations.flatMap(judge.violations).map { $0.line(record.events) }
  }
}
