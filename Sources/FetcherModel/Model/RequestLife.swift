package import Scheduling

/// The life of one shared request as a pure value: no lock, no clock, no thread.
///
/// Each transition returns the action that the caller performs outside any lock. A request that ends is removed, so
/// it has no state.
package enum RequestLife: Sendable {
  /// Waits for a permit. `entry` withdraws the request from the limiter, once the limiter has returned it.
  case queued(entry: (any Cancellation)?)
  /// Holds a permit.
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

  /// Keeps the entry in the limiter, unless the permit came first.
  package mutating func keep(entry: any Cancellation) {
    if case .queued = self { self = .queued(entry: entry) }
  }

  /// The limiter has granted a permit.
  package mutating func receivePermit() {
    guard case .queued = self else { preconditionFailure("Internal inconsistency: a second permit for one request") }
    self = .running(Running())
  }

  /// Keeps the timer of the deadline.
  package mutating func keep(deadline: any Cancellation) { running.deadline = deadline }

  /// The strategy is about to be called, for the first time or after a rest.
  package mutating func callStrategy() {
    switch running.phase {
    case .calling, .resting: running.phase = .calling
    case .fetching, .validating: preconditionFailure("Internal inconsistency: two attempts at once")
    }
  }

  /// The strategy fetches; `attempt` cancels it.
  package mutating func startFetch(_ attempt: any Cancellation) {
    guard case .calling = running.phase else { preconditionFailure("Internal inconsistency: a fetch without a call") }
    running.phase = .fetching(attempt)
  }

  /// The actions at the end of an attempt.
  package enum AttemptAction: Equatable, Sendable {
    /// Validate the result, which ends the request.
    case finish
    case retry(after: Duration)
  }

  /// The attempt has ended.
  ///
  /// - Parameter rest: cancels the wait before another attempt; nil if the result is not worth one.
  package mutating func endAttempt(restingWith rest: (any Cancellation)?, _ limits: FetchLimits) -> AttemptAction {
    guard case .fetching = running.phase else { preconditionFailure("Internal inconsistency: the end of no attempt") }
    guard let rest, running.retries < limits.retries else {
      running.phase = .validating
      return .finish
    }
    running.retries += 1
    running.phase = .resting(rest)
    return .retry(after: limits.wait(beforeRetry: running.retries))
  }

  /// The actions at the end of a request.
  package enum EndAction: Sendable {
    case leaveLimiter(entry: (any Cancellation)?)
    /// Cancel the work under way and the timer of the deadline, and release the permit.
    case stop(work: (any Cancellation)?, deadline: (any Cancellation)?)
  }

  /// The request has ended: it has a result, or no fetch waits for it any more.
  package func end() -> EndAction {
    switch self {
    case .queued(let entry):
      return .leaveLimiter(entry: entry)
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
