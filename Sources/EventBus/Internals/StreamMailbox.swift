import Synchronization

/// The mailbox of one ``EventStream``. The mailbox holds the posted events that have not been read yet.
final class StreamMailbox: Sendable {
  private let overflow: Overflow
  private let state = Locked(State())

  private struct State: Sendable {
    var waiting = RingBuffer<Envelope>()
    var reader: UnsafeContinuation<Envelope?, Never>?
    var isOver = false
    var dropped = 0
  }

  init(_ overflow: Overflow) { self.overflow = overflow }

  var dropped: Int { state.withLock { $0.dropped } }
  var isOver: Bool { state.withLock { $0.isOver } }
  var hasReader: Bool { state.withLock { $0.reader != nil } }

  /// Offers an event to the reader or stores it. Requires the channel's lock.
  func offer(_ envelope: Envelope, to subscriber: Subscriber, _ effects: inout Effects) {
    state.withLock { state in
      if state.isOver { return }
      if let reader = state.reader.take() {
        effects.accepted += 1
        effects.add(.resume(reader, with: envelope))
        return
      }
      if let limit = overflow.limit, state.waiting.count >= limit {
        state.dropped += 1
        effects.add(.dropped(subscriber))
        guard overflow.keepsNewest, let oldest = state.waiting.popFirst() else { return }
        effects.release(oldest)
      }
      state.waiting.append(envelope)
      effects.accepted += 1
    }
  }

  /// Returns the result of ``next(isolation:)`` without suspending, or nil if that method would have to wait.
  func poll() -> Envelope?? {
    if Task.isCancelled { close(discarding: true) }
    return take()
  }

  /// Returns the next event when it arrives. Returns nil if the stream has ended, or if another reader is already
  /// waiting.
  func next(isolation actor: isolated (any Actor)?) async -> Envelope? {
    // Tells the thread sanitizer that the post happens before the continuation runs. The sanitizer misses this ordering
    // if the continuation was resumed before the task had suspended.
    defer { state.withLock { _ in } }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation(isolation: actor) { continuation in
        if let envelope = take(orWaitWith: continuation) { continuation.resume(returning: envelope) }
      }
    } onCancel: {
      close(discarding: true)
    }
  }

  /// Returns nil if no event is waiting, and a nested nil if this reader will receive no event.
  private func take(orWaitWith continuation: UnsafeContinuation<Envelope?, Never>? = nil) -> Envelope?? {
    state.withLock { state in
      if let envelope = state.waiting.popFirst() { return .some(envelope) }
      if state.isOver || state.reader != nil { return .some(nil) }
      state.reader = continuation
      return nil
    }
  }

  /// Closes the mailbox. Waiting events can still be read, unless `discarding` is true.
  func close(discarding: Bool) {
    let (reader, discarded) = state.withLock { state in
      state.isOver = true
      let discarded = discarding ? state.waiting : RingBuffer()
      if discarding { state.waiting = RingBuffer() }
      return (state.reader.take(), discarded)
    }
    reader?.resume(returning: nil)
    withExtendedLifetime(discarded) {}
  }
}
