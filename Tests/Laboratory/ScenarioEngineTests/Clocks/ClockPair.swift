import EventBus
import Foundation
import OriginServer
import TestMachine

@testable import ScenarioEngine
@testable import ScenarioFormat

/// A scenario with one strategy, played on the virtual clock, and then on the real one until both agree or have differed often
/// enough.
///
/// A machine that pauses for longer than two causes are apart can swap them, on a busy machine now and then. A network that is
/// simulated wrongly differs every time.
struct ClockPair: Sendable {
  let strategy: String
  let virtual: RunRecord
  /// The last run on the real clock.
  private(set) var real = RunRecord()
  /// What the clocks differ in; nil if they agree.
  private(set) var difference: String? = "not played on the real clock"
  /// How often the real clock ran.
  private(set) var plays = 0

  private let scenario: Scenario
  private let runtime: any Runtime

  /// Plays on the virtual clock, if that has not been done.
  ///
  /// - Parameters:
  ///   - virtual: what happened there.
  ///   - runtime: of the real clock; by default workers have a thread each there. On the virtual clock the pool of the scenario
  ///     says how many there are.
  init(
    _ scenario: Scenario, _ strategy: String, virtual: RunRecord? = nil,
    runtime: any Runtime = RoomyRuntime(UncrowdedRuntime())
  ) {
    (self.scenario, self.strategy, self.runtime) = (scenario, strategy, runtime)
    self.virtual = virtual ?? scenario.runVirtually(strategy)
  }

  /// Plays on the real clock, against an origin of its own.
  mutating func play() async throws {
    let runner = ScenarioRunner(
      scenario: scenario, folder: ShippedScenario.folder, origin: try OriginServer(content: OriginContent()),
      runtime: runtime, patience: .seconds(120))
    let stall = MachineStall()
    real = await runner.run(strategy)
    plays += 1
    difference = RunStory(scenario, virtual).firstDifference(from: RunStory(scenario, real), stall: stall.soFar)
  }

  /// Plays on the real clock until the clocks agree and the run there is as it should be.
  mutating func abandon(atMost plays: Int, until holds: (RunRecord) -> Bool = { _ in true }) async throws {
    repeat { try await play() } while self.plays < plays && (difference != nil || !holds(real))
  }
}
