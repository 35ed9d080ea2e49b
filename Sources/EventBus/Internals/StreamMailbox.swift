import Synchronization

/// The mailbox of one ``EventStream``: what was posted and not yet read.
final class StreamMailbox<E: Event>: Sendable {
  private let overflow: Overflow
  private let state = Locked(State())

  private struct State: Sendable {
    var waiting = Fifo<E>()
    var reader: UnsafeContinuation<E?, Never>?
    var isOver = false
    var dropped = 0
  }

  /// What came of a post; to be completed once the poster holds no lock.
  enum Offer: Sendable {
    case taken
    /// Taken, for an older one that now goes.
    case replaced(E?)
    /// The reader waits for it.
    case handed(UnsafeContinuation<E?, Never>)
    /// The mailbox is full.
    case refused
    case over
  }

  init(_ overflow: Overflow) { self.overflow = overflow }

  var dropped: Int { state.withLock { $0.dropped } }

  func offer(_ event: E) -> Offer {
    state.withLock { state in
      if state.isOver { return .over }
      if let reader = state.reader.take() { return .handed(reader) }
      switch overflow {
      case .dropOldest(let limit) where state.waiting.count >= limit:
        state.dropped += 1
        let oldest = state.waiting.popFirst()
        state.waiting.append(event)
        return .replaced(oldest)
      case .dropNewest(let limit) where state.waiting.count >= limit:
        state.dropped += 1
        return .refused
      default:
        state.waiting.append(event)
        return .taken
      }
    }
  }

  /// The next event, once there is one; nil when the stream is over.
  func next() async -> E? {
    if Task.isCancelled {
      end()
      return nil
    }
    switch take() {
    case .event(let event): return event
    case .over: return nil
    case .nothing: break
    }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        switch take(orWaitWith: continuation) {
        case .event(let event): continuation.resume(returning: event)
        case .over: continuation.resume(returning: nil)
        case .nothing: break
        }
      }
    } onCancel: {
      end()
    }
  }

  private enum Next: Sendable {
    case event(E)
    case over
    case nothing
  }

  private func take(orWaitWith continuation: UnsafeContinuation<E?, Never>? = nil) -> Next {
    state.withLock { state in
      if let event = state.waiting.popFirst() { return .event(event) }
      if state.isOver { return .over }
      state.reader = continuation
      return .nothing
    }
  }

  /// Takes no more. What waits can still be read, unless `discarding`.
  func close(discarding: Bool) {
    let (reader, discarded) = state.withLock { state in
      state.isOver = true
      let discarded = discarding ? state.waiting.elements : []
      if discarding { state.waiting = Fifo() }
      return (state.reader.take(), discarded)
    }
    reader?.resume(returning: nil)
    withExtendedLifetime(discarded) {}
  }

  private func end() { close(discarding: true) }
}
