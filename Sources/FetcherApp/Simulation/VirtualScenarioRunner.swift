import EventBus
import Foundation
import ScheduleExplorer

/// Runs a scenario with one strategy on the virtual clock, against a simulated network.
///
/// One runner may run many times: what the origin serves is made once.
struct VirtualScenarioRunner: Sendable {
  private let scenario: Scenario
  private let origin: ScenarioOrigin
  private let tracesClosures: Bool

  /// - Parameters:
  ///   - folder: the folder of the scenario's file.
  ///   - tracesClosures: whether every closure is written down, and how many listen to the bus.
  init(scenario: Scenario, folder: URL, tracesClosures: Bool = false) {
    self.scenario = scenario
    self.tracesClosures = tracesClosures
    origin = ScenarioOrigin(scenario, folder: folder)
  }

  /// Runs once, first in first out, and tells everything that happened. The same every time.
  func run(_ strategy: String) -> RunRecord {
    run(strategy) { SimulatedNetwork(origin, $0) }
  }

  /// - Parameter network: makes the network on the runtime of the run.
  func run(_ strategy: String, from network: (any Runtime) -> any ScenarioNetwork) -> RunRecord {
    let runtime = VirtualRuntime(pool: pool)
    let log = tracesClosures ? ActivityLog(runtime) : nil
    let seam = runtime.traced(by: log)
    let session = ScenarioSession(scenario, strategy: strategy, on: seam, network(seam), log)
    let result = Locked<RunRecord?>(nil)
    let keep = { @Sendable (cut: RunRecord.Cut?) in
      var record = session.record
      record.cut = cut
      let complete = record
      // What comes after a cut is no better reason for it.
      result.withLock { if $0?.cut == nil { $0 = complete } }
    }
    runtime.main.schedule { session.start(onEnd: keep) }
    runtime.run { end in keep(RunRecord.Cut(end)) }
    // A step may wait for what never happens: then nothing is left to do, and the end has not come.
    runtime.main.schedule { session.giveUp() }
    runtime.run()
    var record = result.withLock { $0 } ?? RunRecord()
    record.poolStarved = runtime.poolStarved
    record.longestStall = runtime.longestMainWait
    record.leaks = leaks(session, runtime)
    record.foreignCalls = runtime.foreignCalls
    record.activity = log?.activity ?? Activity()
    return record
  }

  private func leaks(_ session: ScenarioSession, _ runtime: VirtualRuntime) -> Scenario.Leaks {
    let leaks = Locked(Scenario.Leaks())
    runtime.main.schedule { session.close() }
    guard runtime.run() == .idle else { return Scenario.Leaks() }
    runtime.main.schedule {
      let found = session.leaks
      leaks.withLock { $0 = found }
    }
    runtime.run()
    return leaks.withLock { $0 }
  }

  private var pool: WorkerPool {
    switch scenario.pool {
    case .linux(let cores): .linux(cores: cores)
    case .darwin(let limit): .darwin(limit: limit)
    case .fixed(let width): .fixed(width: width)
    }
  }
}

extension RunRecord.Cut {
  /// Why a virtual run that did not come to rest was cut; nil if it did.
  fileprivate init?(_ end: VirtualRunEnd) {
    switch end {
    case .idle: return nil
    case .deadlock(let waiting): self = .deadlocked(waiting: waiting)
    case .livelock(let steps): self = .endless(.closuresAtOnce(steps))
    case .endless(let steps): self = .endless(.closures(steps))
    }
  }
}
