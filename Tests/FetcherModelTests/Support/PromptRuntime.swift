import EventBus
import ModelFixtures

/// The real runtime, except that a thread that schedules work on main waits until the work is done.
final class PromptRuntime: Runtime {
  let main: any Scheduler = PromptScheduler(DispatchRuntime.shared.main)
  private let base = DispatchRuntime.shared

  var workers: any Scheduler { base.workers }
  var now: Duration { base.now }
  func serial(_ label: String) -> any Scheduler { base.serial(label) }
  func gate() -> any Gate { base.gate() }
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { base.task(body) }
}

private final class PromptScheduler: Scheduler {
  private let base: any Scheduler

  init(_ base: any Scheduler) { self.base = base }

  var isSerial: Bool { base.isSerial }
  var isCurrent: Bool { base.isCurrent }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    guard !isCurrent else { return base.schedule(action) }
    let done = DispatchRuntime.shared.gate()
    base.schedule {
      action()
      done.open()
    }
    done.wait()
  }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    base.schedule(after: delay, action)
  }
}
