import Scheduling
public import VirtualTime

/// Runs code under thousands of schedules, and throws the smallest one that breaks it.
///
/// ```swift
/// try explore { runtime in
///   let account = Account(on: runtime)
///   account.withdraw(70)
///   account.withdraw(70)
///   return { try check(account.balance >= 0) }
/// }
/// ```
///
/// - Parameters:
///   - schedules: how many schedules may run.
///   - time: how much real time the search may take; nil for as much as it needs.
///   - seed: makes random choices the same in each search.
///   - search: how schedules are chosen.
///   - timing: whether network completions and steps of the user keep to their due times.
///   - pool: the threads of the runtime's workers.
///   - mostSteps: after how many items a run counts as a livelock.
///   - shard: which part of the search this is.
///   - token: replays one schedule instead of searching.
///   - loosely: whether the token is followed as far as the code goes with it, to try it on another version.
///   - body: the code: called once for each schedule, with a new runtime. It starts what is to run, and returns a check that
///     is called on the runtime's main scheduler once nothing is left to do. The check throws, or returns an outcome, to count
///     how many there are.
/// - Returns: the figures of the search.
/// - Throws: `ExplorationFailure`, and `ReplayMismatch` for a token that does not fit the code.
@discardableResult
public func explore<Outcome>(
  schedules: Int = 10_000, for time: Duration? = nil, seed: UInt64 = 1, search: Search = .mixed,
  timing: Timing = .exact, pool: WorkerPool = .fixed(width: 4), mostSteps: Int = 10_000, shard: Shard = .whole,
  replaying token: String? = nil, loosely: Bool = false,
  _ body: (VirtualRuntime) throws -> () throws -> Outcome
) throws -> Exploration {
  var explorer = Explorer()
  explorer.schedules = schedules
  explorer.time = time
  explorer.seed = seed
  explorer.search = search
  explorer.shard = shard
  explorer.replay.timing = timing
  return try explorer.report(replaying: token, loosely: loosely) { schedule in
    let runtime = VirtualRuntime(
      pool: pool, timing: timing, mostStepsAtOnce: mostSteps, mostSteps: mostSteps, policy: schedule.policy,
      observer: schedule.observer)
    defer { runtime.close() }
    return judge(runtime, body)
  }
}

/// Runs the body on a runtime that is its own, and then its check.
package func judge<Outcome>(
  _ runtime: VirtualRuntime, _ body: (VirtualRuntime) throws -> () throws -> Outcome
) -> Verdict {
  var verdict = Verdict()
  do {
    let check = OnOneThread(try body(runtime))
    let end = runtime.run()
    verdict.steps = runtime.steps
    verdict.finding = Finding(end)
    guard verdict.finding == nil else { return verdict }
    let outcome = OnOneThread(Result<Outcome, any Error>?.none)
    // What the check looks at may belong to main.
    runtime.main.schedule {
      runtime.note("check")
      outcome.value = Result { try check.value() }
    }
    verdict.finding = Finding(runtime.run())
    if let outcome = try outcome.value?.get() { verdict.outcome = String(describing: outcome) }
  } catch let finding as Finding {
    verdict.finding = finding
  } catch {
    verdict.finding = Finding(.check, String(describing: error))
  }
  return verdict
}

/// Unchecked because an item that waits at no gate runs on the thread that runs the runtime.
private final class OnOneThread<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}
