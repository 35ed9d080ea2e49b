import Scheduling
public import VirtualTime

/// Runs unmodified Swift code under thousands of schedules, and throws the smallest one that breaks it.
///
/// The code has tasks, actors, `@MainActor`, `async let`, groups, streams and `Task.sleep`, and needs no runtime:
///
/// ```swift
/// try exploreSwift { @MainActor in
///   let cart = Cart()
///   async let one: Void = cart.add("tea")
///   async let two: Void = cart.add("tea")
///   _ = await (one, two)
///   try check(cart.lines == 1, "\(cart.lines) lines for one article")
/// }
/// ```
///
/// While it lasts it replaces the main and the default executor of the whole process, by an experimental interface of Swift
/// 6.3 on Linux. Nothing else may run in the process meanwhile: call it in an exit test (`exploringSwift` of the module
/// `ScheduleExplorerTesting`), in a test of XCTest, or in an executable of its own. It blocks the calling thread; the code runs
/// on another one, one job at a time.
///
/// - Parameters:
///   - schedules: how many schedules may run.
///   - time: how much real time the search may take; nil for as much as it needs.
///   - seed: makes random choices the same in each search.
///   - search: how schedules are chosen.
///   - timing: whether sleeps keep to their due times. They are virtual either way: no schedule waits.
///   - mostSteps: after how many items a run counts as a livelock.
///   - patience: how long, in real time, a job may run between two awaits, and an ``External`` call may take.
///   - shard: which part of the search this is.
///   - token: replays one schedule instead of searching.
///   - loosely: whether the token is followed as far as the code goes with it, to try it on another version.
///   - body: the code, called once for each schedule. It throws where the code is wrong, and may return an outcome, to count
///     how many there are. What it has started runs to its end after it; ``untilIdle(isolation:)`` waits for that.
/// - Returns: the figures of the search.
/// - Throws: `ExplorationFailure`, `ReplayMismatch` for a token that does not fit the code, and `ExploringSwiftUnavailable`.
@discardableResult
public func exploreSwift<Outcome: Sendable>(
  schedules: Int = 10_000, for time: Duration? = nil, seed: UInt64 = 1, search: Search = .mixed,
  timing: Timing = .exact, mostSteps: Int = 10_000, patience: Duration = .seconds(10), shard: Shard = .whole,
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
    timing: timing, mostSteps: mostSteps, patience: patience, replaying: token, loosely: loosely, body)
}

extension Explorer {
  /// Searches with these settings over the schedules of unmodified Swift code, and throws the smallest one that breaks it.
  ///
  /// - Parameters:
  ///   - timing: whether sleeps keep to their due times.
  ///   - mostSteps: after how many items a run counts as a livelock.
  ///   - patience: how long, in real time, a job may run between two awaits, and an ``External`` call may take.
  ///   - token: replays one schedule instead of searching.
  ///   - loosely: whether the token is followed as far as the code goes with it.
  ///   - body: the code, called once for each schedule.
  /// - Returns: the figures of the search.
  /// - Throws: `ExplorationFailure`, `ReplayMismatch` and `ExploringSwiftUnavailable`.
  @discardableResult
  public func exploreSwift<Outcome: Sendable>(
    timing: Timing = .exact, mostSteps: Int = 10_000, patience: Duration = .seconds(10), replaying token: String? = nil,
    loosely: Bool = false, _ body: @escaping @Sendable () async throws -> Outcome
  ) throws -> Exploration {
    var explorer = self
    explorer.verifiesRealTime = explorer.verifiesDeterminism
    explorer.replay = ReplayCall("exploreSwift", timing)
    explorer.unit = "jobs"
    let underWay = Locked<Director?>(nil)
    let run: @Sendable (SwiftSession, Schedule) -> Verdict = { session, schedule in
      underWay.withLock { $0 = schedule.policy as? Director }
      return Verdict(session.run(schedule, timing: timing, mostSteps: mostSteps, body))
    }
    let schedules = Locked(0)
    let end = SwiftSession.run(patience: patience, awaitsOthers: token == nil) { [explorer] session in
      Result {
        try explorer.report(replaying: token, loosely: loosely) { schedule in
          schedules.withLock { $0 += 1 }
          return run(session, schedule)
        }
      }
    }
    switch end {
    case .ended(let result): return try result.get()
    case .unavailable(let text): throw ExploringSwiftUnavailable(description: text)
    case .blocked(let text):
      let list = underWay.withLock { $0?.deviations } ?? []
      // Once more, to write it down: it hangs again.
      let recorder = Recorder()
      _ = SwiftSession.run(patience: patience, awaitsOthers: false) { session in
        Trial { run(session, $0) }.run(DeviationPolicy(list), recorder)
      }
      throw explorer.blocked(
        Finding(.blocked, text), list, underWay.withLock { $0 }, recorder.steps.located,
        schedules: schedules.withLock { $0 })
    }
  }
}

extension Verdict {
  fileprivate init<Outcome>(_ run: SwiftSession.RunResult<Outcome>) {
    self.init(finding: Finding(run.end), steps: run.steps)
    isDisturbed = run.isDisturbed
    if let ended = finding {
      if ended.kind == .livelock {
        finding = Finding(
          .livelock,
          """
          \(ended.message)
          A loop that waits until ContinuousClock.now or Date() has passed does not end: sleeps are virtual, clocks are real. \
          A loop that runs as long as the app must be cancelled at the end of the test.
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
  }
}

/// Unmodified Swift code cannot be explored here, or not now.
public struct ExploringSwiftUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why, and what to do.
  public let description: String
}

/// Suspends the body of `exploreSwift` until nothing else is left to do: no job is ready, and no task sleeps.
///
/// For checks of code that starts tasks and does not hand them out. Traps outside `exploreSwift`.
public func untilIdle(isolation: isolated (any Actor)? = #isolation) async {
  if await !SwiftSession.idle() { fatalError("untilIdle() was called outside exploreSwift.") }
}

/// The runtime of the schedule that runs: for notes in the report, for code that is given a `Runtime`, and for a simulated
/// network or user beside unmodified Swift code.
///
/// ```swift
/// exploredRuntime.note("tap, \(basket.count) in the basket")
/// ```
///
/// Traps outside `exploreSwift`, and on a thread that does not belong to it.
///
/// Its `workers` are four threads: closures that wait at gates on all of them keep a fifth from running.
public var exploredRuntime: VirtualRuntime {
  guard let runtime = SwiftSession.currentRuntime else {
    fatalError(
      "exploredRuntime was asked for outside the body of exploreSwift, or on a thread that does not belong to it.")
  }
  return runtime
}
