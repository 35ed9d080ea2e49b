import Dispatch
import Scheduling
import Synchronization
import VirtualTime

/// Reports when other threads enter a search, and waits for late ones.
final class OtherThreads: Sendable {
  /// The maximum time that the first run, and the first run that hangs, spend waiting for late threads.
  private static let grace = Duration.milliseconds(20)
  private static let longGrace = Duration.seconds(1)

  /// The state of the current run that concerns other threads.
  private struct Effects {
    var report: (@Sendable (ForeignCall) -> Void)?
    /// Whether another thread has entered the run, so that a job may still be running there.
    var haveEntered = false
  }

  private let watchdog: Watchdog
  private let effects = Locked(Effects())
  private let arrivals = DispatchSemaphore(value: 0)
  /// The number of threads that are writing a report.
  private let reporting = Atomic(0)
  /// The number of the first task of the search. Older tasks belong to other code.
  private let firstTask = Atomic<UInt64>(0)

  init(_ watchdog: Watchdog) { self.watchdog = watchdog }

  /// Calls the closure while preventing other threads from entering the run. Returns nil if one has already entered.
  func ifNoneEntered<Value>(_ body: () -> Value) -> Value? { effects.withLock { $0.haveEntered ? nil : body() } }

  func beginRun(_ report: (@Sendable (ForeignCall) -> Void)?) {
    effects.withLock { $0 = Effects(report: report) }
  }

  /// Notes the first task of the search.
  func note(_ job: UnownedJob) {
    guard firstTask.load(ordering: .relaxed) == 0 else { return }
    firstTask.store(ProcessExecutors.number(of: job), ordering: .relaxed)
  }

  /// Reports that another thread entered the search, unless the call concerns an older task.
  func report(_ call: String, _ job: UnownedJob?) {
    reporting.add(1, ordering: .sequentiallyConsistent)
    defer { reporting.subtract(1, ordering: .sequentiallyConsistent) }
    let first = firstTask.load(ordering: .relaxed)
    guard !watchdog.hasGivenUp, first != 0 else { return }
    if let job {
      let number = ProcessExecutors.number(of: job)
      if number != 0, number < first { return }
    }
    let handler = effects.withLock { effects in
      effects.haveEntered = true
      return effects.report
    }
    handler?(ForeignCall(call, through: Self.ownFunctions, advice: Self.advice))
    arrivals.signal()
  }

  /// Waits until a late thread has written its report.
  ///
  /// - Parameter isLong: whether the run hangs, so that a longer wait is worthwhile.
  func wait(isLong: Bool) {
    let time = isLong ? min(Self.longGrace, watchdog.timeout / 2) : Self.grace
    if arrivals.wait(timeout: .now() + time / .seconds(1)) == .success { return }
    // Looking up the function names of a stack takes a while. A report about another search sends no signal.
    let end = ContinuousClock.now + watchdog.timeout
    while reporting.load(ordering: .sequentiallyConsistent) > 0, .now < end {
      watchdog.beat()
      _ = arrivals.wait(timeout: .now() + .milliseconds(5))
    }
  }

  /// Parts of the names of the functions that pass a job to the session.
  private static let ownFunctions = [
    "SwiftSession", "OtherThreads", "ProcessExecutors", "ProcessMainExecutor", "ProcessPoolExecutor",
  ]

  private static let advice: @Sendable ([String]) -> String = { frames in
    func has(_ names: String...) -> Bool { frames.contains { frame in names.contains { frame.contains($0) } } }
    if has("Continuation.resume", "AsyncStream") {
      return """
        That thread, for example from Dispatch or URLSession, resumes what the explored code awaits. Wrap the call \
        that the thread completes in External.call.
        """
    }
    if has("Task<>.init", "swift_task_create", "Task.init") {
      return """
        That thread, for example from Dispatch, starts a task from outside the search. Start the task from another \
        task, or wrap the call that uses the thread in External.call.
        """
    }
    return """
      A call returns from an actor with a custom executor, or a queue or thread resumes a task. Explore the actor \
      without its executor, or wrap the call in External.call. If another test runs in this process, put the search \
      into #expect(processExitsWith:).
      """
  }
}
