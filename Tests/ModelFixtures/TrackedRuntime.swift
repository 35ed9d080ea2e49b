package import EventBus
import TestMachine

/// The Dispatch runtime, extended to know whether any scheduled action is left to run.
///
/// A timer counts only when it is due. Actions that other code puts on the same queues do not count.
package final class TrackedRuntime: Runtime {
  private struct State {
    var open = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  package let main: any Scheduler
  package let workers: any Scheduler
  private let base = UncrowdedRuntime()
  private let work: Work

  package init() {
    let work = Work()
    self.work = work
    main = TrackedScheduler(base.main, work)
    workers = TrackedScheduler(base.workers, work)
  }

  package var now: Duration { base.now }
  package func serial(_ label: String) -> any Scheduler { TrackedScheduler(base.serial(label), work) }
  package func gate() -> any Gate { base.gate() }

  package func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    work.begin()
    return base.task { [work] in
      await body()
      work.end()
    }
  }

  /// Returns when no scheduled action is left to run.
  package func rest() async { await work.rest() }

  /// A counter of the scheduled actions that have not ended.
  fileprivate final class Work: Sendable {
    private let state = Locked(State())

    func begin() { state.withLock { $0.open += 1 } }

    func end() {
      let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
        state.open -= 1
        guard state.open == 0 else { return [] }
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    func rest() async {
      await withCheckedContinuation { continuation in
        let isIdle = state.withLock { state in
          if state.open > 0 { state.waiting.append(continuation) }
          return state.open == 0
        }
        if isIdle { continuation.resume() }
      }
    }
  }
}

private final class TrackedScheduler: Scheduler {
  private struct Held {
    var action: (@Sendable () -> Void)?
  }

  private let base: any Scheduler
  private let work: TrackedRuntime.Work

  init(_ base: any Scheduler, _ work: TrackedRuntime.Work) {
    self.base = base
    self.work = work
  }

  var isSerial: Bool { base.isSerial }
  var isCurrent: Bool { base.isCurrent }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    work.begin()
    let held = Locked(Held(action: action))
    base.schedule { [work] in
      Self.run(held)
      work.end()
    }
  }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    base.schedule(after: delay) { [work] in
      work.begin()
      action()
      work.end()
    }
  }

  /// Runs the action, and releases its captures before it returns.
  private static func run(_ held: Locked<Held>) {
    let taken = held.withLock { held in
      defer { held.action = nil }
      return held
    }
    taken.action?()
  }
}
