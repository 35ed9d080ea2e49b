import Synchronization

/// The mailbox of one ``EventStream``: what was posted and not yet read.
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

  /// The next event if it is there, and a value that is nil if the stream is over: reading what waits calls nothing that may suspend.
  func poll() -> Envelope?? {
    if Task.isCancelled { close(discarding: true) }
    return take()
  }

  /// The next event, once there is one; nil when the stream is over.
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

  static let twoReaders =
    "An EventStream has one consumer, and a second one reads it. Make another stream with events(_:) for that one."

  /// Nil if there is nothing yet, and a value that is nil if there never will be.
  private func take(orWaitWith continuation: UnsafeContinuation<Envelope?, Never>? = nil) -> Envelope?? {
    state.withLock { state in
      if let envelope = state.waiting.popFirst() { return .some(envelope) }
      if state.isOver { return .some(nil) }
      if state.reader != nil { fatalError(Self.twoReaders) }
      state.reader = continuation
      return nil
    }
  }

  /// Takes no more. What waits can still be read, unless `discarding`.
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
