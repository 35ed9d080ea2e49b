import EventBus

/// Calls a completion once. Cancels its work at most once, and never after the end of the work.
///
/// Performs, outside its lock, what ``OneShotStateMachine`` decides. Any thread.
final class OneShot<Value: Sendable>: Cancellation {
  typealias Completion = @Sendable (Value) -> Void

  private let machine = Locked(OneShotStateMachine<Completion, any Cancellation>())
  private let cancelled: Value?
  private let scheduler: (any Scheduler)?

  /// - Parameters:
  ///   - cancelled: the value with which a cancel completes, or nil if a cancel does not complete.
  ///   - scheduler: where a cancel completes, after the events posted there. If nil, ``cancel()`` completes inside
  ///   the call.
  init(cancelled: Value? = nil, on scheduler: (any Scheduler)? = nil) {
    self.cancelled = cancelled
    self.scheduler = scheduler
  }

  /// Whether the completion has not been called yet.
  var isOpen: Bool { machine.withLock { $0.isOpen } }

  /// Sets the completion. Call it once. After a cancel, it returns false and completes with `cancelled`, and no work
  /// may begin.
  func start(_ completion: @escaping Completion) -> Bool {
    let isOpen = machine.withLock { $0.start(completion) }
    if !isOpen { passCancel(to: completion) }
    return isOpen
  }

  /// Keeps the handle of the work, or cancels the work if no caller waits for it any more.
  func hold(_ work: any Cancellation) { machine.withLock { $0.hold(work) }?.cancel() }

  /// Ends the work without a value.
  func workEnded() { withExtendedLifetime(machine.withLock { $0.workEnded() }) {} }

  /// Ends the work with a value.
  func end(_ value: Value) {
    workEnded()
    settle(value)
  }

  /// Completes, and cancels the work if it is still running.
  func complete(_ value: Value) { take()?(value) }

  /// Completes if the completion has not been called, and does not cancel the work.
  func settle(_ value: Value) { machine.withLock { $0.complete() }?(value) }

  /// Cancels the work if it is still running.
  func callOff() { machine.withLock { $0.callOff() }?.cancel() }

  func cancel() {
    if let completion = take() { passCancel(to: completion) }
  }

  /// Takes the completion before it cancels the work: a cancel can end the work immediately, with a result.
  private func take() -> Completion? {
    let completion = machine.withLock { $0.complete() }
    callOff()
    return completion
  }

  private func passCancel(to completion: @escaping Completion) {
    guard let cancelled else { return }
    guard let scheduler else { return completion(cancelled) }
    scheduler.scheduleBehindEvents { completion(cancelled) }
  }
}

extension OneShot {
  /// Waits for the result that `call` passes to its completion. Cancelling the calling task ends the wait with
  /// `cancelled`, and cancels the
  /// handle that `call` returned. A task that is already cancelled does not call `call`.
  static func value(
    cancelled: Value, _ call: (@escaping Completion) -> any Cancellation
  ) async -> Value {
    let wait = OneShot(cancelled: cancelled)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard wait.start({ continuation.resume(returning: $0) }) else { return }
        wait.hold(call { wait.end($0) })
      }
    } onCancel: {
      wait.cancel()
    }
  }
}

extension Scheduler {
  /// Runs `action` after the bus has delivered the events that were posted here before.
  func scheduleBehindEvents(_ action: @escaping @Sendable () -> Void) {
    // Posting jobs run first, then the jobs that deliver.
    schedule { self.schedule(action) }
  }
}

/// One completion and its work, as a pure value: no lock, no thread.
///
/// It decides two races: a result against a cancel, and the end of the work against the arrival of its handle. Each
/// transition returns the action that the caller performs outside any lock.
package struct OneShotStateMachine<Completion, Work> {
  private enum Waiter {
    case unknown
    case waiting(Completion)
    case served
  }

  private enum Handle {
    case unknown
    case held(Work)
    /// Cancelled before the handle was known.
    case unwanted
    case over
  }

  private var waiter = Waiter.unknown
  private var handle = Handle.unknown

  package init() {}

  /// Whether the completion has not been called yet.
  package var isOpen: Bool {
    if case .served = waiter { false } else { true }
  }

  /// Sets the completion. Returns false if the end came first. Then no work may begin.
  package mutating func start(_ completion: Completion) -> Bool {
    guard case .unknown = waiter else { return false }
    waiter = .waiting(completion)
    return true
  }

  /// Stores the handle of the work. Returns the handle if the work must be cancelled.
  package mutating func hold(_ work: Work) -> Work? {
    switch handle {
    case .unknown:
      handle = .held(work)
      return nil
    case .unwanted:
      handle = .over
      return work
    case .held, .over:
      return nil
    }
  }

  /// Ends the work, so that it is not cancelled any more. Returns its handle, for release.
  package mutating func workEnded() -> Work? {
    defer { handle = .over }
    return if case .held(let work) = handle { work } else { nil }
  }

  /// Returns the completion for the result, the first time only.
  package mutating func complete() -> Completion? {
    defer { waiter = .served }
    return if case .waiting(let completion) = waiter { completion } else { nil }
  }

  /// Returns the work to cancel, the first time only.
  package mutating func callOff() -> Work? {
    switch handle {
    case .unknown:
      handle = .unwanted
      return nil
    case .held(let work):
      handle = .over
      return work
    case .unwanted, .over:
      return nil
    }
  }
}
