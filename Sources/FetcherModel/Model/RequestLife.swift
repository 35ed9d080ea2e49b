package import Scheduling

/// The life of one shared request, as a pure value without locks, clocks or threads.
///
/// Each transition returns an action, which the caller performs outside any lock. There is no final state, because a
/// request that ends is removed.
package enum RequestLife: Sendable {
  /// Waiting for a permit. Cancelling `entry` removes the request from the limiter's queue. `entry` is nil until the
  /// limiter has returned it.
  case queued(entry: (any Cancellation)?)
  /// Running with a permit.
  case running(Running)

  package struct Running: Sendable {
    fileprivate var retries = 0
    fileprivate var deadline: (any Cancellation)?
    fileprivate var phase = Phase.calling
  }

  fileprivate enum Phase {
    /// The strategy is about to be called.
    case calling
    case fetching(any Cancellation)
    /// The attempt has ended, and its result is being validated.
    case validating
    /// The wait before the next attempt.
    case resting(any Cancellation)
  }

  package init() { self = .queued(entry: nil) }

  /// Stores the limiter entry, unless the permit has already been granted.
  package mutating func keep(entry: any Cancellation) {
    if case .queued = self { self = .queued(entry: entry) }
  }

  /// Records that the limiter has granted a permit.
  package mutating func receivePermit() {
    guard case .queued = self else { preconditionFailure("Internal inconsistency: a second permit for one request") }
    self = .running(Running())
  }

  /// Stores the deadline timer.
  package mutating func keep(deadline: any Cancellation) { running.deadline = deadline }

  /// Records that the strategy is about to be called, either for the first time or after a wait.
  package mutating func callStrategy() {
    switch running.phase {
    case .calling, .resting: running.phase = .calling
    case .fetching, .validating: preconditionFailure("Internal inconsistency: two attempts at once")
    }
  }

  /// Records that the strategy is fetching. Cancelling `attempt` cancels the fetch.
  package mutating func startFetch(_ attempt: any Cancellation) {
    guard case .calling = running.phase else { preconditionFailure("Internal inconsistency: a fetch without a call") }
    running.phase = .fetching(attempt)
  }

  /// The action to take after an attempt ends.
  package enum AttemptAction: Equatable, Sendable {
    /// Validates the result, which ends the request.
    case finish
    case retry(after: Duration)
  }

  /// Records that the attempt has ended.
  ///
  /// - Parameters:
  ///   - rest: a handle that cancels the wait before the next attempt, or nil if the result is not worth a retry.
  ///   - retryAfter: the wait that the server asks for, or nil. There is no retry if it is longer than the limit.
  package mutating func endAttempt(
    restingWith rest: (any Cancellation)?, after retryAfter: Duration? = nil, _ limits: FetchLimits
  ) -> AttemptAction {
    guard case .fetching = running.phase else { preconditionFailure("Internal inconsistency: no attempt in flight") }
    guard let rest, running.retries < limits.retries, retryAfter ?? .zero <= limits.maximumRetryAfter else {
      running.phase = .validating
      return .finish
    }
    running.retries += 1
    running.phase = .resting(rest)
    return .retry(after: max(limits.wait(beforeRetry: running.retries), retryAfter ?? .zero))
  }

  /// The action to take after a request ends.
  package enum EndAction: Sendable {
    case releasePermit(entry: (any Cancellation)?)
    /// Cancels the current work and the deadline timer, and releases the permit.
    case stop(work: (any Cancellation)?, deadline: (any Cancellation)?)
  }

  /// Ends the request, either because it has a result or because no fetch is waiting for it any longer.
  package func end() -> EndAction {
    switch self {
    case .queued(let entry):
      return .releasePermit(entry: entry)
    case .running(let running):
      switch running.phase {
      case .fetching(let work), .resting(let work): return .stop(work: work, deadline: running.deadline)
      case .calling, .validating: return .stop(work: nil, deadline: running.deadline)
      }
    }
  }

  private var running: Running {
    get {
      guard case .running(let running) = self else {
        preconditionFailure("Internal inconsistency: a request without a permit")
      }
      return running
    }
    set { self = .running(newValue) }
  }
}
