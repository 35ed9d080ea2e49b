import Synchronization

/// The mailbox of one ``EventStream``: what was posted and not yet read.
final class StreamMailbox: Sendable {
  private let overflow: Overflow
  private let state = Locked(State())

  private struct State: Sendable {
    var waiting = Fifo<Envelope>()
    var reader: UnsafeContinuation<Envelope?, Never>?
    var isOver = false
    var dropped = 0
  }

  /// What came of a post; to be completed once the poster holds no lock.
  enum Offer: Sendable {
    case taken
    /// Taken, for an older one that now goes.
    case replaced(Envelope?)
    /// The reader waits for it.
    case handed(UnsafeContinuation<Envelope?, Never>)
    /// The mailbox is full.
    case refused
    case over
  }

  init(_ overflow: Overflow) { self.overflow = overflow }

  var dropped: Int { state.withLock { $0.dropped } }

  func offer(_ envelope: Envelope) -> Offer {
    state.withLock { state in
      if state.isOver { return .over }
      if let reader = state.reader.take() { return .handed(reader) }
      switch overflow {
      case .dropOldest(let limit) where state.waiting.count >= limit:
        state.dropped += 1
        let oldest = state.waiting.popFirst()
        state.waiting.append(envelope)
        return .replaced(oldest)
      case .dropNewest(let limit) where state.waiting.count >= limit:
        state.dropped += 1
        return .refused
      default:
        state.waiting.append(envelope)
        return .taken
      }
    }
  }

  /// The next event, once there is one; nil when the stream is over.
  func next() async -> Envelope? {
    if Task.isCancelled {
      close(discarding: true)
      return nil
    }
    switch take() {
    case .envelope(let envelope): return envelope
    case .over: return nil
    case .nothing: break
    }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        switch take(orWaitWith: continuation) {
        case .envelope(let envelope): continuation.resume(returning: envelope)
        case .over: continuation.resume(returning: nil)
        case .nothing: break
        }
      }
    } onCancel: {
      close(discarding: true)
    }
  }

  private enum Next: Sendable {
    case envelope(Envelope)
    case over
    case nothing
  }

  private func take(orWaitWith continuation: UnsafeContinuation<Envelope?, Never>? = nil) -> Next {
    state.withLock { state in
      if let envelope = state.waiting.popFirst() { return .envelope(envelope) }
      if state.isOver { return .over }
      state.reader = continuation
      return .nothing
    }
  }

  /// Takes no more. What waits can still be read, unless `discarding`.
  func close(discarding: Bool) {
    let (reader, discarded) = state.withLock { state in
      state.isOver = true
      let discarded = discarding ? state.waiting : Fifo()
      if discarding { state.waiting = Fifo() }
      return (state.reader.take(), discarded)
    }
    reader?.resume(returning: nil)
    withExtendedLifetime(discarded) {}
  }
}
