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

/// One completion and the work that leads to it, as a pure value: no lock, no thread.
///
/// It decides two races: a result against a cancel, and the end of the work against the arrival of its handle. Each
/// transition returns what the caller has to do, outside any lock.
package struct OneShotStateMachine<Completion, Work> {
  private enum Waiter {
    case unknown
    case waiting(Completion)
    case served
  }

  private enum Handle {
    case unknown
    case held(Work)
    /// Called off before the handle was known.
    case unwanted
    case over
  }

  private var waiter = Waiter.unknown
  private var handle = Handle.unknown

  package init() {}

  /// Whether the completion is still to be called.
  package var isOpen: Bool {
    if case .served = waiter { false } else { true }
  }

  /// Says what to call in the end. Returns false when the end came first: then there is nothing to begin.
  package mutating func start(_ completion: Completion) -> Bool {
    guard case .unknown = waiter else { return false }
    waiter = .waiting(completion)
    return true
  }

  /// The handle of the work is known. Returns it when the work has to be called off.
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

  /// The work has ended by itself, and is not called off any more. Returns its handle, to be released.
  package mutating func workEnded() -> Work? {
    defer { handle = .over }
    return if case .held(let work) = handle { work } else { nil }
  }

  /// Returns what to call with the result, the first time only.
  package mutating func complete() -> Completion? {
    defer { waiter = .served }
    return if case .waiting(let completion) = waiter { completion } else { nil }
  }

  /// Returns the work that has to be called off, once.
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
