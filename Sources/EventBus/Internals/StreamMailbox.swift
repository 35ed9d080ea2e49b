import Synchronization

/// The mailbox of one ``EventStream``: the posted events that are not yet read.
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

  /// Under the channel's lock.
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

  /// Returns the result of ``next(isolation:)`` if it needs no wait, without suspending. Returns nil if it would wait.
  func poll() -> Envelope?? {
    if Task.isCancelled { close(discarding: true) }
    return take()
  }

  /// Returns the next event when it arrives. Returns nil if the stream is over, or if another reader is already
  /// waiting.
  func next(isolation actor: isolated (any Actor)?) async -> Envelope? {
    // For the thread sanitizer, which does not see that a continuation that was resumed early comes after the post.
    defer { state.withLock { _ in } }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation(isolation: actor) { continuation in
        if let envelope = take(orWaitWith: continuation) { continuation.resume(returning: envelope) }
      }
    } onCancel: {
      close(discarding: true)
    }
  }

  /// Nil if no event waits, and a nil value if this reader gets none.
  private func take(orWaitWith continuation: UnsafeContinuation<Envelope?, Never>? = nil) -> Envelope?? {
    state.withLock { state in
      if let envelope = state.waiting.popFirst() { return .some(envelope) }
      if state.isOver || state.reader != nil { return .some(nil) }
      state.reader = continuation
      return nil
    }
  }

  /// Closes the mailbox. Waiting events can still be read, unless `discarding` is set.
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
