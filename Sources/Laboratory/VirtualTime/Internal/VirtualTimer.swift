import Scheduling

/// A timer that the thread of the run made.
struct VirtualTimer: Cancellation {
  let core: VirtualCore
  let entry: TimerHeap.Entry
  let identity: UInt64

  func cancel() { core.cancel(entry, .cancel(identity)) }
}

/// A timer that another thread made, which the run begins when it reads its mail.
final class ForeignTimer: Cancellation {
  private enum State {
    case new
    case begun(TimerHeap.Entry)
    case cancelled
  }

  private let core: VirtualCore
  private let state = Locked(State.new)

  init(_ core: VirtualCore) { self.core = core }

  func begin(_ entry: TimerHeap.Entry) {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .begun(entry)
      return false
    }
    if isCancelled { core.cancel(entry, .other) }
  }

  func cancel() {
    let entry = state.withLock { state -> TimerHeap.Entry? in
      defer { state = .cancelled }
      if case .begun(let entry) = state { return entry }
      return nil
    }
    if let entry { core.cancel(entry, .other) }
  }
}
