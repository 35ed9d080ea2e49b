import Dispatch
import Scheduling
import VirtualTime

/// Receives jobs instead of the platform's executors.
protocol JobTaker: AnyObject, Sendable {
  /// Accepts a job to run now or after a sleep. Returns false for a job that the platform should run.
  func take(_ job: UnownedJob, on scheduler: SchedulerID, after sleep: Sleep?) -> Bool
}

/// The information about a sleep that is available when it starts.
struct Sleep: Sendable {
  /// The real time from now to the end of the sleep.
  let remaining: Duration
}

// The interface is experimental. It is used only where it is known to work, and only in this file.
#if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

  /// The main executor and the default executor of the process.
  ///
  /// The Swift runtime keeps them in variables without a lock, so they are replaced only while the process does nothing
  /// else.
  enum ProcessExecutors {
    static let isAvailable = true

    fileprivate static let taker = Locked<(any JobTaker)?>(nil)
    fileprivate static let main = ProcessMainExecutor()
    fileprivate static let pool = ProcessPoolExecutor()
    /// The previous executors, which are retained forever because their jobs may run at any time.
    fileprivate static let platform = Platform()

    /// Replaces the executors. From then on, each job is offered to the taker first.
    static func replace(by taker: any JobTaker) {
      _ = platform
      Self.taker.withLock { $0 = taker }
      _createExecutors(factory: Replacement.self)
    }

    static func putBack() {
      _createExecutors(factory: Original.self)
      taker.withLock { $0 = nil }
    }

    /// Runs an accepted job.
    static func run(_ job: UnownedJob, on scheduler: SchedulerID) {
      if scheduler.kind == .main {
        job.runSynchronously(on: main.asUnownedSerialExecutor())
      } else {
        job.runSynchronously(on: pool.asUnownedTaskExecutor())
      }
    }

    /// Returns a number that increases with every task of the process, or zero for a job that is not a task.
    static func number(of job: UnownedJob) -> UInt64 { taskNumber(job) }

    /// The task that runs on this thread.
    static var currentTask: UnownedJob? { withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UnownedJob.self) } } }

    fileprivate static func take(_ job: UnownedJob, on scheduler: SchedulerID, after sleep: Sleep? = nil) -> Bool {
      guard let taker = taker.withLock({ $0 }) else { return false }
      return taker.take(job, on: scheduler, after: sleep)
    }

    fileprivate static func remaining<C: Clock>(until instant: C.Instant, _ clock: C) -> Sleep {
      Sleep(remaining: clock.now.duration(to: instant) as? Duration ?? .zero)
    }
  }

  @_silgen_name("swift_task_getJobTaskId") private func taskNumber(_ job: UnownedJob) -> UInt64

  private struct Platform: Sendable {
    let main: any MainExecutor = MainActor.executor
    let pool: any TaskExecutor = Task.defaultExecutor
  }

  private enum Replacement: ExecutorFactory {
    static var mainExecutor: any MainExecutor { ProcessExecutors.main }
    static var defaultExecutor: any TaskExecutor { ProcessExecutors.pool }
  }

  private enum Original: ExecutorFactory {
    static var mainExecutor: any MainExecutor { ProcessExecutors.platform.main }
    static var defaultExecutor: any TaskExecutor { ProcessExecutors.platform.pool }
  }

  private final class ProcessMainExecutor: MainExecutor, SchedulingExecutor {
    private var platform: any MainExecutor { ProcessExecutors.platform.main }

    func run() throws { try platform.run() }
    func stop() { platform.stop() }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      if !ProcessExecutors.take(job, on: .main) { platform.enqueue(ExecutorJob(job)) }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      enqueue(job, at: clock.now.advanced(by: delay), tolerance: tolerance, clock: clock)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      let job = UnownedJob(job)
      if ProcessExecutors.take(job, on: .main, after: ProcessExecutors.remaining(until: instant, clock)) { return }
      forward(job, to: platform, at: instant, tolerance, clock)
    }

    func isIsolatingCurrentContext() -> Bool? { SwiftSession.isOnMain }

    func checkIsolated() {
      if !SwiftSession.isOnMain { fatalError("This code was expected to run on the main actor.") }
    }
  }

  private final class ProcessPoolExecutor: TaskExecutor, SchedulingExecutor {
    private var platform: any TaskExecutor { ProcessExecutors.platform.pool }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      if !ProcessExecutors.take(job, on: .tasks) { platform.enqueue(ExecutorJob(job)) }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      enqueue(job, at: clock.now.advanced(by: delay), tolerance: tolerance, clock: clock)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      let job = UnownedJob(job)
      if ProcessExecutors.take(job, on: .tasks, after: ProcessExecutors.remaining(until: instant, clock)) { return }
      forward(job, to: platform, at: instant, tolerance, clock)
    }
  }

  private func forward<C: Clock>(
    _ job: UnownedJob, to executor: any Executor, at instant: C.Instant, _ tolerance: C.Duration?, _ clock: C
  ) {
    guard let executor = executor as? any SchedulingExecutor else {
      fatalError("The platform's executor \(executor) has no timers.")
    }
    executor.enqueue(ExecutorJob(job), at: instant, tolerance: tolerance, clock: clock)
  }
#else
  enum ProcessExecutors {
    static let isAvailable = false

    static func replace(by taker: any JobTaker) {}
    static func putBack() {}
    static func run(_ job: UnownedJob, on scheduler: SchedulerID) {}
    static func number(of job: UnownedJob) -> UInt64 { 0 }
    static var currentTask: UnownedJob? { nil }
  }
#endif

/// Runs tasks on Dispatch threads, regardless of the process's executors.
package final class OutsideExecutor: TaskExecutor {
  private static let shared = OutsideExecutor()
  /// Whether the running task was started by this executor. The session ignores jobs that such a task enqueues on the
  /// process's executors.
  @TaskLocal static var isOutside = false

  package static func start(_ operation: @escaping @Sendable () async -> Void) {
    Task.detached(executorPreference: shared) { await $isOutside.withValue(true, operation: operation) }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
