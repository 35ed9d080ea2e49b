import EventBus

/// Calls a completion once, and calls its work off at most once, never after the end of the work.
///
/// Performs, outside its lock, what ``OneShotStateMachine`` decides. Any thread.
final class OneShot<Value: Sendable>: Cancellation {
  typealias Completion = @Sendable (Value) -> Void

  private let machine = Locked(OneShotStateMachine<Completion, any Cancellation>())
  private let cancelled: Value?
  private let scheduler: (any Scheduler)?

  /// - Parameters:
  ///   - cancelled: what a cancel completes with; nil to complete with nothing.
  ///   - scheduler: where a cancel completes, behind the events posted there; nil for inside ``cancel()``.
  init(cancelled: Value? = nil, on scheduler: (any Scheduler)? = nil) {
    self.cancelled = cancelled
    self.scheduler = scheduler
  }

  /// Whether the completion is still to be called.
  var isOpen: Bool { machine.withLock { $0.isOpen } }

  /// Says what to call in the end. Once. Returns false after a cancel: then `completion` gets `cancelled`, and no work is
  /// to begin.
  func start(_ completion: @escaping Completion) -> Bool {
    let isOpen = machine.withLock { $0.start(completion) }
    if !isOpen { passCancel(to: completion) }
    return isOpen
  }

  /// Keeps the handle of the work that has begun, or calls that off if nobody waits for it any more.
  func hold(_ work: any Cancellation) { machine.withLock { $0.hold(work) }?.cancel() }

  /// The work has ended by itself.
  func workEnded() { withExtendedLifetime(machine.withLock { $0.workEnded() }) {} }

  /// The work has ended with this value.
  func end(_ value: Value) {
    workEnded()
    settle(value)
  }

  /// Completes, and calls off what still runs.
  func complete(_ value: Value) { take()?(value) }

  /// Completes, if that has not happened, and leaves the work alone.
  func settle(_ value: Value) { machine.withLock { $0.complete() }?(value) }

  /// Calls off what still runs.
  func callOff() { machine.withLock { $0.callOff() }?.cancel() }

  func cancel() {
    if let completion = take() { passCancel(to: completion) }
  }

  /// Takes the completion before the work is called off, as that may end at once, with a result of its own.
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
  /// Waits for what `call` hands to its completion. Cancelling the calling task ends the wait with `cancelled`, and cancels
  /// what `call` returned; a task that is cancelled before begins nothing.
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
  /// Runs `action` behind what the bus delivers here of the events that are posted here before.
  func scheduleBehindEvents(_ action: @escaping @Sendable () -> Void) {
    // The jobs that post run first, and then those that deliver.
    schedule { self.schedule(action) }
  }
}
