import EventBus
package import Foundation
import PlainText
package import ScenarioFormat
package import VirtualTime

/// Runs a scenario with one strategy on the virtual clock, with a simulated network.
///
/// A runner can perform many runs, and creates the origin's content only once.
package struct VirtualScenarioRunner: Sendable {
  private let scenario: Scenario
  private let origin: ScenarioOrigin
  private let program: ProgramRegistry.Make
  private let tracesClosures: Bool
  private let showsBus: Bool

  /// - Parameters:
  ///   - folder: the folder that contains the scenario's file.
  ///   - program: the factory of the program, or nil for the scenario's own program.
  ///   - tracesClosures: whether to record all closures and the number of subscriptions.
  ///   - showsBus: whether to record all bus events, even those that no pattern names.
  package init(
    scenario: Scenario, folder: URL, program: ProgramRegistry.Make? = nil,
    tracesClosures: Bool = false, showsBus: Bool = false
  ) {
    self.scenario = scenario
    self.showsBus = showsBus
    self.program = ProgramRegistry.make(program, for: scenario)
    self.tracesClosures = tracesClosures
    origin = ScenarioOrigin(scenario, folder: folder)
  }

  /// Runs the scenario once, and records everything. Runs are repeatable.
  ///
  /// - Parameter schedule: the order of ready items. The default is first in, first out, with exact timing.
  package func run(_ strategy: String, _ schedule: VirtualSchedule = VirtualSchedule()) -> RunRecord {
    run(strategy, schedule) { SimulatedNetwork(origin, $0, completions: $1, names: $2) }
  }

  /// - Parameter network: a closure that creates the network on the run's runtime, with the scheduler and the names of
  ///   its completions.
  func run(
    _ strategy: String, _ schedule: VirtualSchedule = VirtualSchedule(),
    from network: (any Runtime, any Scheduler, ItemNames) -> any ScenarioNetwork
  ) -> RunRecord {
    let runtime = VirtualRuntime(
      pool: pool, timing: schedule.timing, policy: schedule.policy, observer: schedule.observer)
    defer { runtime.close() }
    let networkUse = NetworkUse()
    let log = tracesClosures ? ActivityLog(runtime) : nil
    let (tracedRuntime, names) = (runtime.traced(by: log), ItemNames(runtime: runtime))
    let session = ScenarioSession(
      scenario, strategy: strategy, program, on: tracedRuntime,
      network(tracedRuntime, runtime.network("network").traced(by: log, "network"), names), log,
      user: runtime.user.traced(by: log, "main"), names, showsBus: showsBus, turn: { runtime.steps },
      onRecord: { event in runtime.note(event.caption) }, networkUse: networkUse)
    let result = Locked<RunRecord?>(nil)
    let keep = { @MainActor @Sendable (termination: RunRecord.Termination?) in
      var record = session.record
      record.termination = termination
      let complete = record
      // Keep the first record, because events after the run was cut off do not help to explain why.
      result.withLock { if $0?.termination == nil { $0 = complete } }
    }
    runtime.scheduleOnMain {
      names.name("start")
      session.start(onEnd: keep)
    }
    runtime.run { end in runtime.assumeMainActor { keep(RunRecord.Termination(end)) } }
    // A step may wait for an event that never happens. In that case, no work is left, but the scenario is not complete.
    runtime.scheduleOnMain {
      names.name("end")
      session.giveUp()
    }
    runtime.run()
    var record = result.withLock { $0 } ?? RunRecord()
    record.poolStarved = runtime.poolStarved
    record.delayedWork = runtime.delayedWork
    record.longestStall = runtime.longestMainWait
    networkUse.close()
    record.leaks = leaks(session, runtime)
    record.foreignCalls = runtime.foreignCalls
    record.bypassing = networkUse.bypassing(foreignCalls: record.foreignCalls)
    record.activity = log?.activity ?? Activity()
    record.steps = runtime.steps
    return record
  }

  private func leaks(_ session: ScenarioSession, _ runtime: VirtualRuntime) -> Scenario.Leaks {
    let leaks = Locked(Scenario.Leaks())
    runtime.scheduleOnMain {
      runtime.name("end of the run: release everything")
      session.close()
    }
    guard runtime.run() == .idle else { return Scenario.Leaks() }
    runtime.scheduleOnMain {
      runtime.name("end of the run: look for leaks")
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

/// The schedule of a virtual run, and its observer.
package struct VirtualSchedule: Sendable {
  let timing: Timing
  let policy: (any SchedulePolicy)?
  let observer: RunObserver

  /// - Parameters:
  ///   - timing: whether network responses and user steps happen exactly when they are due.
  ///   - policy: the policy that chooses the next item, or nil for first in, first out.
  ///   - observer: the callbacks to call during the run.
  package init(
    timing: Timing = .exact, policy: (any SchedulePolicy)? = nil, observer: RunObserver = RunObserver()
  ) {
    self.timing = timing
    self.policy = policy
    self.observer = observer
  }
}

extension RunRecord.Termination {
  /// Creates the reason why a virtual run was cut off. Returns nil if the run became idle.
  fileprivate init?(_ end: VirtualRunEnd) {
    switch end {
    case .idle: return nil
    case .deadlock(let waiting): self = .deadlocked(waiting: waiting)
    case .livelock(let steps): self = .endless(.closuresAtOnce(steps))
    case .endless(let steps): self = .endless(.closures(steps))
    }
  }
}
