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
