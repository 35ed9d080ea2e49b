import Dispatch
import Foundation
import Scheduling
import VirtualTime

/// Receives jobs instead of the platform's executors.
protocol JobTaker: AnyObject, Sendable {
  /// Accepts a job to run now or after a sleep. Returns false for a job that the platform should run.
  ///
  /// - Parameter isExplored: whether explored code makes the call, which can then be interrupted.
  func take(_ job: UnownedJob, on scheduler: SchedulerID, after sleep: Sleep?, isExplored: Bool) -> Bool
  /// Called at a point at which the running job can be interrupted.
  func reachPoint(_ point: AsyncPoint)
  /// Called if the running job needs a lock that is not free. Returns whether the job should try again.
  func waitForLock(_ lock: UInt) -> Bool
}

/// The information about a sleep that is available when it starts.
struct Sleep: Sendable {
  /// The time from now to the end of the sleep.
  let remaining: Duration
  /// Whether the clock was virtual, so that no real time has passed since the length was added to it.
  let isExact: Bool
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
    static func replace(by taker: any JobTaker, _ mode: JobHooks.Mode) {
      _ = platform
      JobHooks.live?.arm(mode)
      MainQueue.mark()
      Self.taker.withLock { $0 = taker }
      _createExecutors(factory: Replacement.self)
    }

    static func putBack() {
      JobHooks.live?.arm(.off)
      _createExecutors(factory: Original.self)
      taker.withLock { $0 = nil }
    }

    static var current: (any JobTaker)? { taker.withLock { $0 } }

    /// Runs an accepted job.
    static func run(_ job: UnownedJob, on scheduler: SchedulerID) {
      JobHooks.live?.begin()
      defer { _ = JobHooks.live?.enter(false) }
      if scheduler.kind == .main {
        job.runSynchronously(on: main.asUnownedSerialExecutor())
      } else {
        job.runSynchronously(on: pool.asUnownedTaskExecutor())
      }
    }

    private static let globalHook: UInt = {
      // The main program's own handle, in which all libraries of the process are searched.
      guard let process = dlopen(nil, RTLD_NOW) else { return 0 }
      return UInt(bitPattern: dlsym(process, "swift_task_enqueueGlobal_hook"))
    }()

    /// Whether a function replaces the enqueueing of jobs. `withMainSerialExecutor` installs one that sends them to main.
    static var hasGlobalHook: Bool {
      UnsafePointer<UInt>(bitPattern: globalHook).map { $0.pointee != 0 } ?? false
    }

    /// Returns a number that increases with every task of the process, or zero for a job that is not a task.
    static func number(of job: UnownedJob) -> UInt64 { taskNumber(job) }

    /// The task that runs on this thread.
    static var currentTask: UnownedJob? { withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UnownedJob.self) } } }

    fileprivate static func take(_ job: UnownedJob, on scheduler: SchedulerID, after sleep: Sleep? = nil) -> Bool {
      let wasInside = JobHooks.live?.enter(false) ?? false
      defer { if wasInside { _ = JobHooks.live?.enter(true) } }
      guard let taker = taker.withLock({ $0 }) else { return false }
      return taker.take(job, on: scheduler, after: sleep, isExplored: wasInside)
    }

    fileprivate static func remaining<C: Clock>(until instant: C.Instant, _ clock: C) -> Sleep {
      let remaining = clock.now.duration(to: instant) as? Duration ?? .zero
      guard let hooks = JobHooks.live else { return Sleep(remaining: remaining, isExact: false) }
      let isInside = hooks.enter(true)
      _ = hooks.enter(isInside)
      return Sleep(remaining: remaining, isExact: isInside)
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

    // Code outside the search may run on the real main thread or main queue at the same time.
    func isIsolatingCurrentContext() -> Bool? { SwiftSession.isOnMain ?? MainQueue.isCurrent }

    func checkIsolated() {
      if isIsolatingCurrentContext() != true { fatalError("This code was expected to run on the main actor.") }
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

    static var current: (any JobTaker)? { nil }
    static func replace(by taker: any JobTaker, _ mode: JobHooks.Mode) {}
    static func putBack() {}
    static func run(_ job: UnownedJob, on scheduler: SchedulerID) {}
    static func number(of job: UnownedJob) -> UInt64 { 0 }
    static var hasGlobalHook: Bool { false }
    static var currentTask: UnownedJob? { nil }
  }
#endif

/// Recognizes code on the real main thread, and code that Dispatch runs on another thread for the main queue.
private enum MainQueue {
  private static let key = DispatchSpecificKey<Bool>()

  static func mark() { DispatchQueue.main.setSpecific(key: key, value: true) }

  static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}

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
