import EventBus
import Synchronization

/// A runtime on which one closure of the workers comes late, as on a machine that is busy.
final class LateRuntime: Runtime {
  let workers: any Scheduler
  private let base: any Runtime

  /// - Parameter late: which closure of the workers, counted from one.
  init(_ base: any Runtime, late: Int, by delay: Duration) {
    self.base = base
    workers = LateScheduler(base.workers, late: late, by: delay)
  }

  var main: any Scheduler { base.main }
  var now: Duration { base.now }
  func serial(_ label: String) -> any Scheduler { base.serial(label) }
  func gate() -> any Gate { base.gate() }
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { base.task(body) }
}

private final class LateScheduler: Scheduler {
  private let base: any Scheduler
  private let late: Int
  private let delay: Duration
  private let count = Atomic(0)

  init(_ base: any Scheduler, late: Int, by delay: Duration) {
    self.base = base
    self.late = late
    self.delay = delay
  }

  var isSerial: Bool { base.isSerial }
  var isCurrent: Bool { base.isCurrent }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    guard count.add(1, ordering: .relaxed).newValue == late else { return base.schedule(action) }
    _ = base.schedule(after: delay, action)
  }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    base.schedule(after: delay, action)
  }
}
