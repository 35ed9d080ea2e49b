import PlainText
import Scheduling
public import VirtualTime

/// Runs code under thousands of schedules, and throws the smallest one that fails.
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
///   - schedules: the maximum number of schedules to run.
///   - time: the maximum duration of the search in real time, or nil for no limit.
///   - seed: the seed of all random choices.
///   - search: the search algorithm.
///   - timing: whether network completions and user steps happen exactly when they are due.
///   - pool: the thread pool of the runtime's workers.
///   - maximumSteps: the number of items after which a run counts as a livelock.
///   - shard: the part of the search to run.
///   - token: a token to replay instead of searching.
///   - loosely: whether to follow the token only as far as it matches the code, to try it on another version.
///   - body: the code, called once per schedule with a new runtime. It starts the work and returns a check. After all
///     work has ended, the check runs on the runtime's main scheduler, and throws if the result is wrong. The check may
///     return an outcome. The search counts the schedules for each outcome.
/// - Returns: the result of the search.
/// - Throws: `ExplorationFailure`, or `ReplayMismatch` for a token that does not match the code.
@discardableResult
public func explore<Outcome>(
  schedules: Int = 10_000, for time: Duration? = nil, seed: UInt64 = 1, search: Search = .mixed,
  timing: Timing = .exact, pool: WorkerPool = .fixed(width: 4), maximumSteps: Int = 10_000, shard: Shard = .whole,
  replaying token: String? = nil, loosely: Bool = false,
  _ body: (VirtualRuntime) throws -> () throws -> Outcome
) throws -> Exploration {
  var explorer = Explorer()
  explorer.schedules = schedules
  explorer.time = time
  explorer.seed = seed
  explorer.search = search
  explorer.shard = shard
  explorer.replay = ReplayCall("explore", timing)
  return try explorer.report(replaying: token, loosely: loosely) { schedule in
    let runtime = VirtualRuntime(
      pool: pool, timing: timing, maximumStepsAtOnce: maximumSteps, maximumSteps: maximumSteps, policy: schedule.policy,
      observer: schedule.observer)
    defer { runtime.close() }
    return judge(runtime, body)
  }
}

/// Runs the body on the given runtime until no work is left, then runs the check that the body returned.
package func judge<Outcome>(
  _ runtime: VirtualRuntime, _ body: (VirtualRuntime) throws -> () throws -> Outcome
) -> Verdict {
  var verdict = Verdict()
  verdict.keepsTimes = runtime.timing == .exact
  do {
    let check = OnOneThread(try body(runtime))
    let end = runtime.run()
    verdict.steps = runtime.steps
    verdict.finding = Finding(end)
    guard verdict.finding == nil else { return verdict }
    let outcome = OnOneThread(Result<Outcome, any Error>?.none)
    // The check may read main-actor state.
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

/// `Sendable` is unchecked, because an item that does not wait at a gate runs on the same thread as the runtime itself.
private final class OnOneThread<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}
