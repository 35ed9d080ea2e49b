import EventBus

/// A runtime that writes down what passes through it, and leaves the work to another. Jobs of tasks are not seen.
final class TracingRuntime: Runtime {
  let main: any Scheduler
  let workers: any Scheduler
  private let base: any Runtime
  private let log: ClosureLog

  init(_ base: any Runtime, _ log: ClosureLog) {
    self.base = base
    self.log = log
    main = TracingScheduler(base.main, "main", log)
    workers = TracingScheduler(base.workers, "workers", log)
  }

  func serial(_ label: String) -> any Scheduler { TracingScheduler(base.serial(label), label, log) }
  var now: Duration { base.now }
  func gate() -> any Gate { base.gate() }
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { base.task(body) }
}

private final class TracingScheduler: Scheduler {
  private let base: any Scheduler
  private let label: String
  private let log: ClosureLog

  init(_ base: any Scheduler, _ label: String, _ log: ClosureLog) {
    self.base = base
    self.label = label
    self.log = log
  }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    let number = log.enqueue(on: label)
    base.schedule { [log] in log.run(number, action) }
  }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    let number = log.enqueue(on: label)
    return base.schedule(after: delay) { [log] in log.run(number, action) }
  }

  var isSerial: Bool { base.isSerial }
  var isCurrent: Bool { base.isCurrent }
}
