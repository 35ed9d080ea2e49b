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
    /// A job blocks the thread of the session, so the thread is abandoned.
    case blocked(String)
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
  }

  private static let current = Locked<SwiftSession?>(nil)
  /// The threads that sessions have abandoned.
  private static let givenUp = Locked<Set<UInt>>([])
  /// The maximum time that the first run, and the first run that hangs, spend waiting for late threads.
  private static let grace = Duration.milliseconds(20)
  private static let longGrace = Duration.seconds(1)

  /// The maximum time that an item or an external call may take.
  let patience: Duration
  private let awaitsOthers: Bool
  /// The ID of the thread that runs the search.
  private let thread = Atomic<UInt>(0)
  /// The runtime of the current run. While jobs wait at its gates, the run continues on further threads.
  private let runtime = Locked<VirtualRuntime?>(nil)
  private let isGivenUp = Atomic(false)
  /// A counter that increases while the thread makes progress.
  private let pulse = Atomic(0)
  /// Whether a run is in progress. Between runs, the thread searches and writes its report, which has no time limit.
  private let isRunning = Atomic(false)
  private let runs = Atomic(0)
  private let steps = Atomic(0)
  private let others = Locked(OtherThreads())
  private let arrivals = DispatchSemaphore(value: 0)
  /// The number of threads that are writing a report.
  private let reporting = Atomic(0)
  /// The number of the first task of the search. Older tasks belong to other code.
  private let firstTask = Atomic<UInt64>(0)
  private let own = Own()

  /// Unchecked, because only the thread that runs the search uses it.
  private final class Own: @unchecked Sendable {
    @exclusivity(unchecked) var run: SwiftRun?
    var hasWaited = false
  }

  /// The effects of other threads on a run.
  private struct OtherThreads {
    var report: (@Sendable (ForeignCall) -> Void)?
    /// Whether another thread has entered the run, so that a job may still be running there.
    var haveEntered = false
  }

  private init(patience: Duration, awaitsOthers: Bool) {
    self.patience = patience
    self.awaitsOthers = awaitsOthers
  }

  // MARK: One search

  /// Runs a search on a dedicated thread, which owns the process's executors in the meantime. Blocks the caller.
  ///
  /// - Parameters:
  ///   - patience: the maximum time that a job or an external call may take.
  ///   - awaitsOthers: whether the first run briefly waits for late threads.
  package static func run<Result: Sendable>(
    patience: Duration, awaitsOthers: Bool, _ search: @escaping @Sendable (SwiftSession) -> Result
  ) -> End<Result> {
    guard ProcessExecutors.isAvailable else {
      return .unavailable(
        """
        exploreSwift needs Swift 6.3 on Linux and the package's trait SwiftExecutors, because the interface that replaces \
        executors is experimental. Use explore, with code that takes a Runtime.
        """)
    }
    let session = SwiftSession(patience: patience, awaitsOthers: awaitsOthers)
    let isFree = current.withLock { current in
      guard current == nil else { return false }
      current = session
      return true
    }
    guard isFree else {
      return .unavailable("exploreSwift already runs in this process: only one search at a time can own the executors.")
    }
    defer { current.withLock { $0 = nil } }
    ProcessExecutors.replace(by: session)
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
    if let text = session.watch(done) { return .blocked(text) }
    guard let value = result.withLock({ $0 }) else { fatalError("A search ended without a result.") }
    return .ended(value)
  }

  /// Returns when the search has ended or hangs.
  private func watch(_ done: DispatchSemaphore) -> String? {
    var (seen, since) = (-1, ContinuousClock.now)
    let interval = max(1, Int(min(patience / 4, .milliseconds(250)) / .milliseconds(1)))
    while done.wait(timeout: .now() + .milliseconds(interval)) == .timedOut {
      let beat = pulse.load(ordering: .acquiring)
      if beat != seen || !isRunning.load(ordering: .acquiring) { (seen, since) = (beat, .now) }
      guard since.duration(to: .now) >= patience else { continue }
      giveUp()
      return """
        item \(steps.load(ordering: .relaxed)) of run \(runs.load(ordering: .relaxed)) has not ended after \(patience): it \
        blocks its thread, or never reaches an await.
        Meanwhile, no other item can run. Look for a semaphore, a lock, a sync onto a queue, Thread.sleep or an endless \
        loop; await instead.
        """
    }
    return nil
  }

  /// Stops the run, so that the caller can inspect its policy.
  private func giveUp() {
    isGivenUp.store(true, ordering: .sequentiallyConsistent)
    // The blocking item may run on another thread, because the run changes threads when a closure waits at a gate. The
    // thread of the search then waits.
    let threads = [thread.load(ordering: .relaxed), runtime.withLock { $0 }?.runningThread ?? 0]
    Self.givenUp.withLock { $0.formUnion(threads) }
    // If an item has just ended, its thread reaches the next item and stops there.
    Thread.sleep(forTimeInterval: 0.05)
    _ = pulse.load(ordering: .acquiring)
  }

  /// An abandoned thread must never resume, for example when its item ends late or calls the session. Otherwise it
  /// would enter the next search.
  private static func stopIfGivenUp() {
    guard givenUp.withLock({ $0.contains(ThreadID.current) }) else { return }
    while true { Thread.sleep(forTimeInterval: 86_400) }
  }

  // MARK: One run

  /// Runs a program once, on the thread of the session.
  package func run<Outcome: Sendable>(
    _ schedule: Schedule, timing: Timing, mostSteps: Int, _ body: @escaping @Sendable () async throws -> Outcome
  ) -> RunResult<Outcome> {
    beat()
    isRunning.store(true, ordering: .releasing)
    defer { isRunning.store(false, ordering: .releasing) }
    stopIfGivenUp()
    let number = runs.add(1, ordering: .relaxed).newValue
    steps.store(0, ordering: .relaxed)
    var observer = schedule.observer
    let willRun = observer.willRun
    observer.willRun = { [unowned self] item in
      beat()
      stopIfGivenUp()
      steps.add(1, ordering: .relaxed)
      willRun?(item)
    }
    if schedule.tasks != nil, let noted = observer.noted {
      observer.noted = { [unowned self] text in
        noted(isOwnThread ? own.run?.attributed(text) ?? text : text)
      }
    }
    let runtime = VirtualRuntime(
      timing: timing, mostSteps: mostSteps, policy: schedule.policy, observer: observer,
      runProcessJob: { [unowned self] job, scheduler in perform(job, scheduler) })
    defer { runtime.close() }
    let run = SwiftRun(runtime, schedule)
    own.run = run
    self.runtime.withLock { $0 = runtime }
    defer {
      own.run = nil
      // The runtime is returned so that it is released outside the lock.
      withExtendedLifetime(self.runtime.withLock { $0.take() }) {}
    }
    others.withLock { $0 = OtherThreads(report: observer.calledByForeignThread) }
    let outcome = Locked<Result<Outcome, any Error>?>(nil)
    let program = Locked<UnownedJob?>(nil)
    Task.detached {
      program.withLock { $0 = ProcessExecutors.currentTask }
      let result: Result<Outcome, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      if !self.isOwnThread { self.report("the end of the program", nil) }
    }
    var end = runtime.run()
    while end == .idle, run.wakeIdlers() { end = runtime.run() }
    let result = outcome.withLock { $0 }
    let isStuck = end == .idle && result == nil
    if isStuck {
      if run.problem == nil { run.problem = Self.stuck }
      if let tasks = schedule.tasks, let program = program.withLock({ $0 }) {
        // The program has not ended, so it still exists. It cannot continue while the lock is held.
        tasks.stuck(others.withLock { $0.haveEntered ? [] : run.waiting(from: program) })
      }
    }
    awaitOthers(isFirst: awaitsOthers && number == 1, isStuck: isStuck)
    return RunResult(
      outcome: result, end: end, steps: runtime.steps, problem: run.problem, isDisturbed: run.isDisturbed)
  }

  private static let stuck = """
    the run went idle before the program ended: nothing resumes what it awaits.
    Either this order of events never completes the continuation, stream or task, or the result comes from outside \
    (Dispatch, a thread, URLSession, an actor with a custom executor): wrap that call in External.call.
    """

  private func awaitOthers(isFirst: Bool, isStuck: Bool) {
    let waits = isStuck && !own.hasWaited
    guard isFirst || waits, !isGivenUp.load(ordering: .relaxed) else { return }
    if isStuck { own.hasWaited = true }
    let time = isStuck ? min(Self.longGrace, patience / 2) : Self.grace
    if arrivals.wait(timeout: .now() + time / .seconds(1)) == .success { return }
    // Looking up the function names of a stack takes a while. A report about another search sends no signal.
    let end = ContinuousClock.now + patience
    while reporting.load(ordering: .sequentiallyConsistent) > 0, .now < end {
      beat()
      _ = arrivals.wait(timeout: .now() + .milliseconds(5))
    }
  }

  private func beat() { pulse.add(1, ordering: .releasing) }

  private func perform(_ job: UnownedJob, _ scheduler: SchedulerID) {
    own.run?.perform(job, on: scheduler)
    stopIfGivenUp()
  }

  private func stopIfGivenUp() {
    guard isGivenUp.load(ordering: .sequentiallyConsistent) else { return }
    _ = Self.givenUp.withLock { $0.insert(ThreadID.current) }
    Self.stopIfGivenUp()
  }

  // MARK: Jobs

  private var isOwnThread: Bool {
    thread.load(ordering: .relaxed) == ThreadID.current || runtime.withLock { $0 }?.isRunningHere == true
  }

  func take(_ job: UnownedJob, on scheduler: SchedulerID, after sleep: Sleep?) -> Bool {
    guard isOwnThread, !isGivenUp.load(ordering: .relaxed) else {
      Self.stopIfGivenUp()
      if !OutsideExecutor.isOutside {
        report("a job for the \(scheduler.kind == .main ? "main" : "default") executor", job)
      }
      return false
    }
    guard let run = own.run else { return false }
    if firstTask.load(ordering: .relaxed) == 0 {
      firstTask.store(ProcessExecutors.number(of: job), ordering: .relaxed)
    }
    run.take(job, on: scheduler, after: sleep)
    return true
  }

  /// Reports that another thread entered the search, unless the call concerns an older task.
  private func report(_ call: String, _ job: UnownedJob?) {
    reporting.add(1, ordering: .sequentiallyConsistent)
    defer { reporting.subtract(1, ordering: .sequentiallyConsistent) }
    let first = firstTask.load(ordering: .relaxed)
    guard !isGivenUp.load(ordering: .relaxed), first != 0 else { return }
    if let job {
      let number = ProcessExecutors.number(of: job)
      if number != 0, number < first { return }
    }
    let handler = others.withLock { others in
      others.haveEntered = true
      return others.report
    }
    handler?(ForeignCall(call, through: Self.ownFunctions, advice: Self.advice))
    arrivals.signal()
  }

  /// Parts of the names of the functions that pass a job to this session.
  private static let ownFunctions = ["SwiftSession", "ProcessExecutors", "ProcessMainExecutor", "ProcessPoolExecutor"]

  private static let advice: @Sendable ([String]) -> String = { frames in
    func has(_ names: String...) -> Bool { frames.contains { frame in names.contains { frame.contains($0) } } }
    if has("Continuation.resume", "AsyncStream") {
      return "It resumes what the program awaits (Dispatch, URLSession, a thread). Wrap that call in External.call."
    }
    if has("Task<>.init", "swift_task_create", "Task.init") {
      return
        "It starts a task from outside (Dispatch, a thread). Start it from a task, or wrap the call in External.call."
    }
    return """
      It returns from an actor with a custom executor, or from a queue or thread that resumes a task. Explore the \
      actor without its executor, or wrap the call in External.call. Or another test runs in this process: put the search \
      into #expect(processExitsWith:).
      """
  }

  // MARK: From inside

  /// The run to which the calling code belongs.
  static var currentRun: (session: SwiftSession, run: SwiftRun)? {
    guard let session = current.withLock({ $0 }), session.isOwnThread, let run = session.own.run else {
      stopIfGivenUp()
      return nil
    }
    return (session, run)
  }

  static var isOnMain: Bool { currentRun?.run.runtime.main.isCurrent ?? false }

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
    let end = ContinuousClock.now + patience
    repeat {
      beat()
      if semaphore.wait(timeout: .now() + .milliseconds(20)) == .success { return true }
    } while ContinuousClock.now < end && !isGivenUp.load(ordering: .relaxed)
    return false
  }
}
