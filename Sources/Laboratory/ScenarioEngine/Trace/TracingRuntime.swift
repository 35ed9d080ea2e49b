import EventBus

/// A runtime that records its work and delegates it to another runtime.
final class TracingRuntime: Runtime {
  let main: any Scheduler
  let workers: any Scheduler
  private let base: any Runtime
  private let log: ActivityLog
  private let executor: TracingExecutor

  init(_ base: any Runtime, _ log: ActivityLog) {
    self.base = base
    self.log = log
    main = TracingScheduler(base.main, "main", log)
    workers = TracingScheduler(base.workers, "workers", log)
    executor = TracingExecutor(base, log)
  }

  func serial(_ label: String) -> any Scheduler { TracingScheduler(base.serial(label), label, log) }
  var now: Duration { base.now }
  func gate() -> any Gate { base.gate() }

  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(executorPreference: executor, operation: body)
  }

  func withMainActor<Value: Sendable>(_ body: @MainActor () throws -> Value) rethrows -> Value {
    try base.withMainActor(body)
  }
}

extension Runtime {
  /// The runtime, wrapped to record its work if there is a log.
  func traced(by log: ActivityLog?) -> any Runtime { log.map { TracingRuntime(self, $0) } ?? self }
}

extension Scheduler {
  /// The scheduler, wrapped to record its work if there is a log.
  func traced(by log: ActivityLog?, _ label: String) -> any Scheduler {
    log.map { TracingScheduler(self, label, $0) } ?? self
  }
}

private final class TracingScheduler: Scheduler {
  private let base: any Scheduler
  private let label: String
  private let log: ActivityLog

  init(_ base: any Scheduler, _ label: String, _ log: ActivityLog) {
    self.base = base
    self.label = label
    self.log = log
  }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    let number = log.enqueue(on: label)
    base.schedule { [log] in log.run(number, action) }
  }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    let number = log.enqueue(on: label, after: delay)
    return base.schedule(after: delay) { [log] in log.run(number, action) }
  }

  var isSerial: Bool { base.isSerial }
  var isCurrent: Bool { base.isCurrent }
}

/// Runs each job inside a single-job task of the other runtime, because there is no other way to reach its executor.
/// The job's priority is lost.
private final class TracingExecutor: TaskExecutor {
  private let base: any Runtime
  private let log: ActivityLog

  init(_ base: any Runtime, _ log: ActivityLog) {
    self.base = base
    self.log = log
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let number = log.enqueue(on: "tasks")
    _ = base.task { [self] in log.run(number) { job.runSynchronously(on: asUnownedTaskExecutor()) } }
  }
}
