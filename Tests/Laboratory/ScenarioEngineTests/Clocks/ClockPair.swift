import EventBus
import Foundation
import OriginServer
import TestMachine

@testable import ScenarioEngine
@testable import ScenarioFormat

/// A scenario with one strategy. It runs on the virtual clock, and then on the real clock until both agree or the
/// attempts are used up.
///
/// A machine that pauses for longer than the interval between two causes can swap them. This happens now and then on a
/// busy machine. A wrong simulation differs every time.
struct ClockPair: Sendable {
  let strategy: String
  let virtual: RunRecord
  /// The last run on the real clock.
  private(set) var real = RunRecord()
  /// The first difference between the clocks, or nil if they agree.
  private(set) var difference: String? = "not played on the real clock"
  /// The number of runs on the real clock.
  private(set) var plays = 0

  private let scenario: Scenario
  private let runtime: any Runtime

  /// Runs the scenario on the virtual clock, unless the record of that run is given.
  ///
  /// - Parameters:
  ///   - virtual: the record of the run on the virtual clock.
  ///   - runtime: the runtime of the real clock. By default, each closure on its workers has a separate thread. On the
  ///     virtual clock, the scenario's pool sets the number of workers.
  init(
    _ scenario: Scenario, _ strategy: String, virtual: RunRecord? = nil,
    runtime: any Runtime = RoomyRuntime(UncrowdedRuntime())
  ) {
    (self.scenario, self.strategy, self.runtime) = (scenario, strategy, runtime)
    self.virtual = virtual ?? scenario.runVirtually(strategy)
  }

  /// Runs the scenario on the real clock, against a separate origin.
  mutating func play() async throws {
    let runner = ScenarioRunner(
      scenario: scenario, folder: ShippedScenario.folder, origin: try OriginServer(content: OriginContent()),
      runtime: runtime, timeout: .seconds(120))
    let stall = MachineStall()
    real = await runner.run(strategy)
    plays += 1
    difference = RunStory(scenario, virtual).firstDifference(from: RunStory(scenario, real), stall: stall.soFar)
  }

  /// Repeats the run on the real clock until the clocks agree and `holds` returns true, at most `plays` times.
  mutating func abandon(atMost plays: Int, until holds: (RunRecord) -> Bool = { _ in true }) async throws {
    repeat { try await play() } while self.plays < plays && (difference != nil || !holds(real))
  }
}
