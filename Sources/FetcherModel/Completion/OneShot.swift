package import Scheduling

/// Calls a completion once. Cancels its work at most once, and never after the work has ended.
///
/// `complete` calls the completion. `endWork` marks the work as ended; if it gets a value, it also completes.
/// `cancelWork` cancels the work if it is still running. A client calls `cancel`, which cancels the work and completes
/// with the value for a cancellation.
///
/// Performs the actions that ``OneShotStateMachine`` returns, outside its lock. Safe to use from any thread.
package final class OneShot<Value: Sendable>: Cancellation {
  package typealias Completion = @Sendable (Value) -> Void

  private let machine = Locked(OneShotStateMachine<Completion, any Cancellation>())
  private let cancelled: Value?
  private let scheduler: (any Scheduler)?

  /// - Parameters:
  ///   - cancelled: the value passed to the completion on cancellation. If nil, a cancellation does not call the
  ///     completion.
  ///   - scheduler: the scheduler on which a cancellation calls the completion, after the events already posted there.
  ///     If nil, ``cancel()`` calls the completion synchronously.
  package init(cancelled: Value? = nil, on scheduler: (any Scheduler)? = nil) {
    self.cancelled = cancelled
    self.scheduler = scheduler
  }

  /// Whether the completion has not been called yet.
  package var isOpen: Bool { machine.withLock { $0.isOpen } }

  /// Sets the completion. Call this method once. After a cancellation, this method passes `cancelled` to the completion
  /// and returns false. The caller must then not start the work.
  package func start(_ completion: @escaping Completion) -> Bool {
    let isOpen = machine.withLock { $0.start(completion) }
    if !isOpen { passCancel(to: completion) }
    return isOpen
  }

  /// Stores the handle of the work, or cancels the work if no caller is waiting for it any longer.
  package func hold(_ work: any Cancellation) { machine.withLock { $0.hold(work) }?.cancel() }

  /// Marks the work as ended, without a value.
  func endWork() { withExtendedLifetime(machine.withLock { $0.endWork() }) {} }

  /// Marks the work as ended, and passes its value to the completion.
  package func endWork(_ value: Value) {
    endWork()
    complete(value)
  }

  /// Calls the completion, and cancels the work if it is still running.
  package func completeAndCancelWork(_ value: Value) { take()?(value) }

  /// Calls the completion unless it has already been called. Does not cancel the work.
  func complete(_ value: Value) { machine.withLock { $0.complete() }?(value) }

  /// Cancels the work if it is still running.
  func cancelWork() { machine.withLock { $0.cancelWork() }?.cancel() }

  package func cancel() {
    if let completion = take() { passCancel(to: completion) }
  }

  /// Takes the completion before cancelling the work, because a cancellation can end the work immediately, with a
  /// result.
  private func take() -> Completion? {
    let completion = machine.withLock { $0.complete() }
    cancelWork()
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
  /// `cancelled` and cancels the handle that `call` returned. If the task is already cancelled, `call` is never called.
  package static func value(
    cancelled: Value, _ call: (@escaping Completion) -> any Cancellation
  ) async -> Value {
    let wait = OneShot(cancelled: cancelled)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard wait.start({ continuation.resume(returning: $0) }) else { return }
        wait.hold(call { wait.endWork($0) })
      }
    } onCancel: {
      wait.cancel()
    }
  }
}

extension Scheduler {
  /// Runs `action` once the bus has delivered all events posted on this scheduler before this call.
  package func scheduleBehindEvents(_ action: @escaping @Sendable () -> Void) {
    // Jobs that post events run first. Jobs that deliver those events run next.
    schedule { self.schedule(action) }
  }
}

/// One completion and its work, as a pure value without locks or threads.
///
/// It resolves two races: between a result and a cancellation, and between the end of the work and the arrival of its
/// handle. Each transition returns an action, which the caller performs outside any lock.
package struct OneShotStateMachine<Completion, Work> {
  private enum Waiter {
    case unknown
    case waiting(Completion)
    case served
  }

  private enum Handle {
    case unknown
    case held(Work)
    /// Cancelled before the handle was stored.
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

  /// Sets the completion. Returns false if the one-shot has already ended; the caller must then not start the work.
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

  /// Marks the work as ended, so it can no longer be cancelled. Returns its handle, which the caller releases.
  package mutating func endWork() -> Work? {
    defer { handle = .over }
    return if case .held(let work) = handle { work } else { nil }
  }

  /// Returns the completion on the first call, and nil afterwards.
  package mutating func complete() -> Completion? {
    defer { waiter = .served }
    return if case .waiting(let completion) = waiter { completion } else { nil }
  }

  /// Returns the work to cancel on the first call, and nil afterwards.
  package mutating func cancelWork() -> Work? {
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
