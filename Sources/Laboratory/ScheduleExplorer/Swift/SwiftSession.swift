import Dispatch
import Foundation
import Scheduling
import Synchronization
package import VirtualTime

/// One search over unmodified Swift code. It owns the process's executors and a dedicated thread that runs all jobs.
/// While a job waits at a gate, the other jobs continue on another thread. The thread that started the search watches
/// the dedicated thread.
package final class SwiftSession: JobTaker {
  /// How a session ended.
  package enum End<Result> {
    case ended(Result)
    /// A job blocks the thread of the session or has trapped, so the thread is abandoned.
    case blocked(Finding)
    case unavailable(String)
  }

  /// The result of one run.
  package struct RunResult<Outcome: Sendable> {
    /// The outcome of the program, or nil if it has not ended.
    package var outcome: Result<Outcome, any Error>?
    package var end: VirtualRunEnd
    package var steps: Int
    /// The reason why the run counts as failed.
    package var problem: String?
    /// Whether real time affected the run.
    package var isDisturbed: Bool
    /// Whether the program drew a random number.
    package var drawsNumbers = false
    /// Whether a delay has ended too early for a sleep of the test, so that the run does not count as a failure.
    package var isVoid = false
  }

  private static let current = Locked<SwiftSession?>(nil)
  let watchdog: Watchdog
  let remarks: Remarks
  private let others: OtherThreads
  private let awaitsOthers: Bool
  /// Whether jobs can be interrupted.
  private let interrupts: Bool
  /// The ID of the thread that runs the search.
  private let thread = Atomic<UInt>(0)
  /// The runtime of the current run. While jobs wait at its gates, the run continues on further threads.
  private let runtime = Locked<VirtualRuntime?>(nil)
  private let own = Own()

  /// `Sendable` is unchecked, because only the thread that runs the search uses the value.
  private final class Own: @unchecked Sendable {
    @exclusivity(unchecked) var run: SwiftRun?
    var hasWaited = false
  }

  private init(timeout: Duration, awaitsOthers: Bool, interrupts: Bool, _ remarks: Remarks) {
    self.interrupts = interrupts
    self.remarks = remarks
    watchdog = Watchdog(timeout: timeout)
    others = OtherThreads(watchdog)
    self.awaitsOthers = awaitsOthers
  }

  // MARK: One search

  /// Runs a search on a dedicated thread, which owns the process's executors until the search ends. Blocks the caller.
  ///
  /// - Parameters:
  ///   - timeout: the maximum time that a job or an external call may take.
  ///   - awaitsOthers: whether the first run waits briefly at its end, to detect other threads that call into the search.
  ///   - interrupts: whether the search can interrupt a job, if the hooks are available.
  ///   - remarks: receives what the explored code does that the search does not vary.
  package static func run<Result: Sendable>(
    timeout: Duration, awaitsOthers: Bool, interrupts: Bool, _ remarks: Remarks,
    _ search: @escaping @Sendable (SwiftSession) -> Result
  ) -> End<Result> {
    guard ProcessExecutors.isAvailable else {
      return .unavailable(
        """
        exploreSwift needs Swift 6.3 on Linux and the package's trait SwiftExecutors, because the interface that replaces \
        executors is experimental. Use explore, with code that takes a Runtime.
        """)
    }
    if TestProcess.runsTests { return .unavailable(TestProcess.advice) }
    let session = SwiftSession(
      timeout: timeout, awaitsOthers: awaitsOthers, interrupts: interrupts && JobHooks.live != nil, remarks)
    let isFree = current.withLock { current in
      guard current == nil else { return false }
      current = session
      return true
    }
    guard isFree else {
      return .unavailable(
        """
        exploreSwift is already running in this process: only one search at a time can own the executors. Wait for its \
        end, or put each search into a separate test with @Test(.explored), without exploreSwift.
        """)
    }
    defer { current.withLock { $0 = nil } }
    ProcessExecutors.replace(by: session, .searching)
    defer { ProcessExecutors.putBack() }
    let result = Locked<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
    let worker = Thread {
      session.thread.store(ThreadID.current, ordering: .sequentiallyConsistent)
      let value = search(session)
      result.withLock { $0 = value }
      done.signal()
    }
    worker.stackSize = 8 << 20
    worker.start()
    if let finding = session.watchdog.watch(done, abandoning: { session.threads }) { return .blocked(finding) }
    guard let value = result.withLock({ $0 }) else { fatalError("A search ended without a result.") }
    return .ended(value)
  }

  /// The IDs of the threads on which an item may be running. The run changes threads when a closure waits at a gate, and
  /// the thread of the search then waits.
  private var threads: [UInt] {
    [thread.load(ordering: .relaxed), runtime.withLock { $0 }?.runningThread ?? 0]
  }

  // MARK: One run

  /// Runs a program once, on the thread of the session.
  package func run<Outcome: Sendable>(
    _ schedule: Schedule, timing: Timing, maximumSteps: Int, host: ProgramHost? = nil,
    _ body: @escaping @Sendable () async throws -> Outcome
  ) -> RunResult<Outcome> {
    let number = watchdog.beginRun()
    defer { watchdog.endRun() }
    var observer = schedule.observer
    let willRun = observer.willRun
    observer.willRun = { [unowned self] item in
      watchdog.beginStep()
      willRun?(item)
    }
    if schedule.tasks != nil, let noted = observer.noted {
      observer.noted = { [unowned self] text in
        noted(isOwnThread ? own.run?.attributed(text) ?? text : text)
      }
    }
    let runtime = VirtualRuntime(
      timing: timing, maximumSteps: maximumSteps, settles: host?.keepsSleeps ?? false, policy: schedule.policy,
      observer: observer, runProcessJob: { [unowned self] job, scheduler in perform(job, scheduler) },
      onLockDeadlock: { [unowned self] in watchdog.giveUp(lockDeadlock: $0) })
    defer { runtime.close() }
    JobHooks.live?.beginRun(randomSeed: schedule.randomSeed)
    let run = SwiftRun(runtime, schedule)
    own.run = run
    self.runtime.withLock { $0 = runtime }
    defer {
      own.run = nil
      // The runtime is returned so that it is released outside the lock.
      withExtendedLifetime(self.runtime.withLock { $0.take() }) {}
    }
    others.beginRun(observer.calledByForeignThread)
    let outcome = Locked<Result<Outcome, any Error>?>(nil)
    let program = Locked<UnownedJob?>(nil)
    let start = host?.start ?? { body in Task.detached { await body() } }
    start {
      program.withLock { $0 = ProcessExecutors.currentTask }
      if host?.keepsSleeps == true { self.own.run?.test = ProcessExecutors.currentTask.map(ProcessExecutors.number) }
      let result: Result<Outcome, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      if host != nil { runtime.endDelays() }
      if !self.isOwnThread { self.others.report("the end of the explored code", nil) }
    }
    var end = runtime.run()
    while end == .idle, run.wakeIdlers() { end = runtime.run() }
    let result = outcome.withLock { $0 }
    // Work that a test leaves behind may run forever.
    if host != nil, result != nil, end != .idle { end = .idle }
    let isStuck = end == .idle && result == nil
    if isStuck {
      if run.problem == nil { run.problem = Self.stuck }
      if let tasks = schedule.tasks, let program = program.withLock({ $0 }) {
        // The program has not ended, so it still exists. It cannot continue either: `ifNoneEntered` stops
        // other threads from passing it a job.
        tasks.stuck(others.ifNoneEntered { run.waiting(from: program) } ?? [])
      }
    }
    awaitOthers(isFirst: awaitsOthers && number == 1, isStuck: isStuck)
    return RunResult(
      outcome: result, end: end, steps: runtime.steps, problem: run.problem, isDisturbed: run.isDisturbed,
      drawsNumbers: JobHooks.live?.hasDrawnNumbers == true, isVoid: run.isVoid)
  }

  private static let stuck = """
    the run went idle before the explored code ended: nothing resumes what it awaits.
    Either this order of events never completes the continuation, stream or task, or the result comes from outside \
    the search (Dispatch, a thread, URLSession, an actor with a custom executor). In that case, wrap the \
    call that produces it in External.call.
    """

  private func awaitOthers(isFirst: Bool, isStuck: Bool) {
    let waits = isStuck && !own.hasWaited
    guard isFirst || waits, !watchdog.hasGivenUp else { return }
    if isStuck { own.hasWaited = true }
    others.wait(isLong: isStuck)
  }

  private func perform(_ job: UnownedJob, _ scheduler: SchedulerID) {
    own.run?.perform(job, on: scheduler)
    watchdog.stopIfGivenUp()
  }

  // MARK: Jobs

  private var isOwnThread: Bool {
    thread.load(ordering: .relaxed) == ThreadID.current || runtime.withLock { $0 }?.isRunningHere == true
  }

  func take(_ job: UnownedJob, on scheduler: SchedulerID, after sleep: Sleep?, isExplored: Bool) -> Bool {
    guard isOwnThread, !watchdog.hasGivenUp else {
      Watchdog.stopIfAbandoned()
      if !OutsideExecutor.isOutside {
        others.report("a job for the \(scheduler.kind == .main ? "main" : "default") executor", job)
      }
      return false
    }
    guard let run = own.run else { return false }
    others.note(job)
    if sleep != nil { remarks.noteSleep() }
    if ProcessExecutors.hasGlobalHook { remarks.noteMainSerialExecutor() }
    run.take(job, on: scheduler, after: sleep)
    // A task that suspends or ends is no longer current. It has reached its point before.
    if interrupts, isExplored, sleep == nil, !job.isYield, ProcessExecutors.currentTask != nil {
      run.interrupt(at: nil)
    }
    return true
  }

  func reachPoint(_ point: AsyncPoint) {
    guard interrupts, isOwnThread, !watchdog.hasGivenUp else { return Watchdog.stopIfAbandoned() }
    own.run?.interrupt(at: point)
  }

  func waitForLock(_ lock: UInt) -> Bool {
    guard interrupts, isOwnThread, !watchdog.hasGivenUp else {
      Watchdog.stopIfAbandoned()
      return false
    }
    return own.run?.waitForLock(lock) ?? false
  }

  // MARK: From inside

  /// The run to which the calling code belongs.
  static var currentRun: (session: SwiftSession, run: SwiftRun)? {
    guard let session = current.withLock({ $0 }), session.isOwnThread, let run = session.own.run else {
      Watchdog.stopIfAbandoned()
      return nil
    }
    return (session, run)
  }

  /// Lets the search run other items before the calling item continues. Does nothing outside a run.
  package static func interrupt() {
    guard let (session, run) = currentRun, !session.watchdog.hasGivenUp else { return }
    run.interrupt(at: nil)
  }

  /// Lets other items run until the lock at this address may be free. Returns false outside a run.
  package static func waitForLock(_ lock: UInt) -> Bool {
    guard let (session, run) = currentRun, !session.watchdog.hasGivenUp else { return false }
    return run.waitForLock(lock)
  }

  /// Whether the calling code of a run is on main. Nil outside a run.
  static var isOnMain: Bool? { currentRun?.run.runtime.main.isCurrent }

  /// The runtime of the calling code's run.
  package static var currentRuntime: VirtualRuntime? { currentRun?.run.runtime }

  /// Suspends until no other work is left. Returns false outside a run.
  package static func idle(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    guard let run = currentRun?.run else { return false }
    await withUnsafeContinuation { run.awaitIdle($0) }
    return true
  }

  /// Waits for the result of an external call, on the thread of the session. Returns false if it does not arrive.
  func await(_ semaphore: DispatchSemaphore) -> Bool {
    let end = ContinuousClock.now + watchdog.timeout
    repeat {
      watchdog.beat()
      if semaphore.wait(timeout: .now() + .milliseconds(20)) == .success { return true }
    } while ContinuousClock.now < end && !watchdog.hasGivenUp
    return false
  }
}
