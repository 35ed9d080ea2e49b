import Scheduling
public import VirtualTime

/// Runs unmodified Swift code under thousands of schedules, and throws the smallest one that fails.
///
/// The code may use tasks, actors, `@MainActor`, `async let`, groups, streams and `Task.sleep`. It needs no runtime:
///
/// ```swift
/// try exploreSwift { @MainActor in
///   let cart = Cart()
///   async let one: Void = cart.add("tea")
///   async let two: Void = cart.add("tea")
///   _ = await (one, two)
///   try check(cart.lines == 1, "\(cart.lines) lines for one product")
/// }
/// ```
///
/// During the search, this function replaces the main executor and the default executor of the process. It uses an
/// experimental interface of Swift 6.3 on Linux. No other code may run in the process meanwhile. Call the function in
/// an exit test (with `exploringSwift` from `ScheduleExplorerTesting`), in an XCTest test, or in a separate
/// executable. It blocks the calling thread. The explored code runs on other threads, one job at a time.
///
/// In an executable that links `ScheduleExplorerTesting` or `ExplorerHooks`, the search also interrupts a job where it
/// affects others: for example after it starts or resumes a task, yields to a stream or cancels a task, and before a call
/// to an actor and after its return. The page <doc:WhatItCannotFind> lists all these points. The clocks that the code
/// reads then show virtual time. In other executables, jobs run whole and clocks are real.
///
/// - Parameters:
///   - schedules: the maximum number of schedules to run.
///   - time: the maximum duration of the search in real time, or nil for no limit.
///   - seed: the seed of all random choices.
///   - search: the search algorithm.
///   - timing: whether sleeps end exactly when they are due. Sleeps are always virtual, so no schedule waits for them.
///   - maximumSteps: the number of items after which a run counts as a livelock, if a fair order does not end either.
///   - timeout: the maximum real time for a job between two awaits, and for an ``External`` call.
///   - shard: the part of the search to run.
///   - token: a token to replay instead of searching.
///   - loosely: whether to follow the token only as far as it matches the code, to try it on another version.
///   - body: the code, called once per schedule. It throws if the result is wrong. It can return an outcome, and the
///     search counts the outcomes. Work that the code has started continues after the return; ``untilIdle(isolation:)``
///     waits for that work.
/// - Returns: the result of the search.
/// - Throws: `ExplorationFailure`, `ReplayMismatch` for a token that does not match the code, or
///   `ExploringSwiftUnavailable`.
@discardableResult
public func exploreSwift<Outcome: Sendable>(
  schedules: Int = 10_000, for time: Duration? = nil, seed: UInt64 = 1, search: Search = .mixed,
  timing: Timing = .exact, maximumSteps: Int = 10_000, timeout: Duration = .seconds(10), shard: Shard = .whole,
  replaying token: String? = nil, loosely: Bool = false,
  _ body: @escaping @Sendable () async throws -> Outcome
) throws -> Exploration {
  var explorer = Explorer()
  explorer.schedules = schedules
  explorer.time = time
  explorer.seed = seed
  explorer.search = search
  explorer.shard = shard
  return try explorer.exploreSwift(
    timing: timing, maximumSteps: maximumSteps, timeout: timeout, replaying: token, loosely: loosely, body)
}

extension Explorer {
  /// Searches the schedules of unmodified Swift code with these settings, and throws the smallest one that fails.
  ///
  /// - Parameters:
  ///   - timing: whether sleeps end exactly when they are due.
  ///   - maximumSteps: the number of items after which a run counts as a livelock.
  ///   - timeout: the maximum real time for a job between two awaits, and for an ``External`` call.
  ///   - token: a token to replay instead of searching.
  ///   - loosely: whether to follow the token only as far as it matches the code.
  ///   - body: the code, called once per schedule.
  /// - Returns: the result of the search.
  /// - Throws: `ExplorationFailure`, `ReplayMismatch` or `ExploringSwiftUnavailable`.
  @discardableResult
  public func exploreSwift<Outcome: Sendable>(
    timing: Timing = .exact, maximumSteps: Int = 10_000, timeout: Duration = .seconds(10),
    replaying token: String? = nil,
    loosely: Bool = false, _ body: @escaping @Sendable () async throws -> Outcome
  ) throws -> Exploration {
    var explorer = self
    let interrupts = interruptsJobs && JobHooks.live != nil
    // With hooks, the clocks that the code reads are virtual.
    explorer.verifiesRealTime = explorer.verifiesDeterminism && JobHooks.live == nil
    explorer.replay = host == nil ? ReplayCall("exploreSwift", timing) : nil
    explorer.unit = interrupts ? "jobs" : "whole jobs"
    let underWay = Locked<RecordingPolicy?>(nil)
    let run: @Sendable (SwiftSession, Schedule) -> Verdict = { session, schedule in
      underWay.withLock { $0 = schedule.policy as? RecordingPolicy }
      var verdict = Verdict(session.run(schedule, timing: timing, maximumSteps: maximumSteps, host: host, body))
      verdict.keepsTimes = timing == .exact
      return verdict
    }
    let (schedules, remarks) = (Locked(0), Remarks())
    let end = SwiftSession.run(
      timeout: timeout, awaitsOthers: token == nil, interrupts: interrupts, remarks
    ) { [explorer] session in
      Result {
        try explorer.report(replaying: token, loosely: loosely) { schedule in
          schedules.withLock { $0 += 1 }
          return run(session, schedule)
        }
      }
    }
    switch end {
    case .ended(let result):
      do {
        var exploration = try result.get()
        remarks.complete(&exploration.statistics, interrupts: interrupts, timing: timing)
        return exploration
      } catch var failure as ExplorationFailure {
        remarks.complete(&failure.statistics, interrupts: interrupts, timing: timing)
        throw failure
      }
    case .unavailable(let text): throw ExploringSwiftUnavailable(description: text)
    case .blocked(let finding):
      let found = underWay.withLock { $0?.schedule } ?? Deviations()
      // Runs the schedule again to record it. It hangs or traps again.
      let recorder = Recorder()
      _ = SwiftSession.run(timeout: timeout, awaitsOthers: false, interrupts: interrupts, remarks) { session in
        let runner = ProgramRunner { run(session, $0) }
        runner.randomSeed = found.randomSeed
        return runner.run(DeviationPolicy(found.list), recorder)
      }
      throw explorer.blocked(
        finding, found, underWay.withLock { $0 }, recorder.steps.located,
        schedules: schedules.withLock { $0 })
    }
  }
}

/// Runs unmodified Swift code once, following a schedule of whole jobs.
package func judgeSwift<Outcome: Sendable>(
  _ schedule: Schedule, timing: Timing = .exact, maximumSteps: Int = 10_000, timeout: Duration = .seconds(10),
  _ body: @escaping @Sendable () async throws -> Outcome
) -> Verdict {
  let end = SwiftSession.run(timeout: timeout, awaitsOthers: false, interrupts: false, Remarks()) { session in
    Verdict(session.run(schedule, timing: timing, maximumSteps: maximumSteps, body))
  }
  switch end {
  case .ended(let verdict): return verdict
  case .unavailable(let text): return Verdict(finding: Finding(.check, text))
  case .blocked(let finding): return Verdict(finding: finding)
  }
}

extension Verdict {
  fileprivate init<Outcome>(_ run: SwiftSession.RunResult<Outcome>) {
    self.init(finding: Finding(run.end), steps: run.steps)
    isDisturbed = run.isDisturbed
    drawsNumbers = run.drawsNumbers
    if let ended = finding {
      if ended.kind == .livelock {
        let clocks =
          "Sleeps take no real time, so a loop that reads ContinuousClock.now or Date() until a time is reached does not end. "
        finding = Finding(
          .livelock,
          """
          \(ended.message)
          \(JobHooks.live == nil ? clocks : "")If a loop runs until the app ends, cancel it at the end of the test.
          """)
      }
    } else if let problem = run.problem {
      finding = Finding(.deadlock, problem)
    } else {
      switch run.outcome {
      case .success(let value): if !(value is Void) { outcome = String(describing: value) }
      case .failure(let error as Finding): finding = error
      case .failure(let error): finding = Finding(.check, String(describing: error))
      case nil: break
      }
    }
    if run.isVoid { finding = nil }
  }
}

/// Thrown if unmodified Swift code cannot be explored on this system or at this time.
public struct ExploringSwiftUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason why the code cannot be explored, and what to do about it.
  public let description: String
}

/// Suspends the body of `exploreSwift` until no other work is left: no job is ready, and no task sleeps.
///
/// Use it to check code that starts tasks and does not return them. Traps outside `exploreSwift`.
public func untilIdle(isolation: isolated (any Actor)? = #isolation) async {
  if await !SwiftSession.idle() { fatalError("untilIdle() was called outside exploreSwift.") }
}

/// The runtime of the current schedule. Use it for notes in the report and for code that requires a `Runtime`. It also
/// lets a simulated network or user work together with unmodified Swift code.
///
/// ```swift
/// exploredRuntime.note("tap, \(basket.count) in the basket")
/// ```
///
/// Traps outside `exploreSwift`, and on a thread that does not belong to the search.
///
/// Its `workers` scheduler has four threads. While closures wait at gates on all of them, a fifth closure cannot run.
public var exploredRuntime: VirtualRuntime {
  guard let runtime = SwiftSession.currentRuntime else {
    fatalError(
      "exploredRuntime was used outside the body of exploreSwift, or on a thread outside its run.")
  }
  return runtime
}
