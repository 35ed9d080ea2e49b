import EventBus
import Foundation
import OriginServer

/// Runs a scenario with one strategy on the real clock, through a real socket.
struct ScenarioRunner: Sendable {
  let scenario: Scenario
  /// The folder of the scenario's file.
  let folder: URL
  let origin: OriginServer
  var runtime: any Runtime = DispatchRuntime.shared
  /// A run is cut off so long after its last step, or after one whose next step does not come.
  var patience = Duration.seconds(10)
  /// Whether every closure is written down, and how many listen to the bus.
  var tracesClosures = false

  /// Runs once, and tells everything that happened.
  func run(_ strategy: String) async -> RunRecord {
    let network = OriginNetwork(origin, scenario, folder: folder)
    let log = tracesClosures ? ActivityLog(runtime) : nil
    let session = ScenarioSession(
      scenario, strategy: strategy, on: runtime.traced(by: log), network, log, patience: patience)
    let isWatched = scenario.expectations.contains { if case .stall = $0.kind { true } else { false } }
    let watch = isWatched ? MainWatch(runtime) : nil
    let cut = await withCheckedContinuation { continuation in
      runtime.main.schedule {
        session.start { continuation.resume(returning: $0) }
      }
    }
    var record = await runtime.onMain { session.record }
    record.cut = cut
    record.longestStall = await watch?.stop() ?? .zero
    record.leaks = await leaks(session)
    record.activity = log?.activity ?? Activity()
    return record
  }

  /// Lets go of everything, and waits a moment for those who only finish what they are doing.
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
