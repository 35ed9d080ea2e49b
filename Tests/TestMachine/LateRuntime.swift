package import EventBus
import Synchronization

/// A runtime that runs one closure of the workers late, as on a busy machine.
package final class LateRuntime: Runtime {
  package let workers: any Scheduler
  private let base: any Runtime

  /// - Parameter late: The position of the late closure among the workers' closures, counted from one.
  package init(_ base: any Runtime, late: Int, by delay: Duration) {
    self.base = base
    workers = LateScheduler(base.workers, late: late, by: delay)
  }

  package var main: any Scheduler { base.main }
  package var now: Duration { base.now }
  package func serial(_ label: String) -> any Scheduler { base.serial(label) }
  package func gate() -> any Gate { base.gate() }
  package func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { base.task(body) }

  package func withMainActor<Value: Sendable>(_ body: @MainActor () throws -> Value) rethrows -> Value {
    try base.withMainActor(body)
  }
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
