import Synchronization

/// The mailbox of one ``EventStream``. The mailbox holds the posted events that have not been read yet.
final class StreamMailbox: Sendable {
  private let limit: Int?
  private let keepsNewest: Bool
  private let state = Locked(State())

  private struct State: Sendable {
    var phase = Phase.open
    /// The events to read. Empty while a reader waits.
    var waiting = RingBuffer<Envelope>()
    /// The number of times that a reader began to wait.
    var waits: UInt64 = 0
    /// The last wait that a cancellation ended, possibly before its reader was stored.
    var givenUp: UInt64 = 0

    /// Ends the wait of the current reader, if there is one, and returns it.
    mutating func takeReader() -> Reader? {
      guard case .awaited(let reader) = phase else { return nil }
      phase = .open
      return reader
    }
  }

  private enum Phase: Sendable {
    case open
    /// A reader waits for the next event.
    case awaited(Reader)
    /// No event is accepted any longer. Waiting events can still be read.
    case closed
  }

  private struct Reader: Sendable {
    let continuation: UnsafeContinuation<Envelope?, Never>
    let number: UInt64
  }

  /// - Parameters:
  ///   - limit: the number of unread events to keep, or nil for no limit.
  ///   - keepsNewest: whether a full mailbox drops the oldest event instead of the new one.
  init(limit: Int?, keepsNewest: Bool) { (self.limit, self.keepsNewest) = (limit, keepsNewest) }

  var isClosed: Bool { state.withLock { if case .closed = $0.phase { true } else { false } } }
  var hasReader: Bool { state.withLock { if case .awaited = $0.phase { true } else { false } } }

  /// Offers an event to the reader or stores it. Requires the channel's lock.
  func offer(_ envelope: Envelope, to subscriber: Subscriber, _ actions: inout DeferredActions) {
    state.withLock { state in
      switch state.phase {
      case .closed: return
      case .awaited(let reader):
        state.phase = .open
        actions.add(.resume(reader.continuation, with: envelope))
      case .open:
        if let limit, state.waiting.count >= limit {
          subscriber.countDrops()
          actions.add(.dropped(subscriber, by: envelope.caller))
          guard keepsNewest, let oldest = state.waiting.popFirst() else { return }
          actions.release(oldest)
        }
        state.waiting.append(envelope)
      }
      actions.accepted += 1
    }
  }

  /// Returns the result of ``next(isolation:)`` without suspending, or nil if that method would have to wait.
  func poll() -> Envelope?? { Task.isCancelled ? .some(nil) : take() }

  /// Returns the next event when it arrives. Returns nil if the stream has ended, the task is cancelled, or another
  /// reader is already waiting.
  ///
  /// - Parameter onCancel: called during the cancellation of the task, when its reader no longer waits.
  func next(isolation actor: isolated (any Actor)?, onCancel: @escaping @Sendable () -> Void) async -> Envelope? {
    // Tells the thread sanitizer that the post happens before the continuation runs. The sanitizer misses this ordering
    // if the continuation was resumed before the task had suspended.
    defer { state.withLock { _ in } }
    let number = state.withLock { state in
      state.waits += 1
      return state.waits
    }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation(isolation: actor) { continuation in
        if let envelope = take(orWaitWith: Reader(continuation: continuation, number: number)) {
          continuation.resume(returning: envelope)
        } else if Task.isCancelled {
          // The cancellation handler below may have run too early to find the reader.
          giveUp(number)
        }
      }
    } onCancel: {
      giveUp(number)
      onCancel()
    }
  }

  /// Ends the wait of a cancelled task. The stream continues.
  private func giveUp(_ number: UInt64) {
    let reader = state.withLock { state in
      state.givenUp = number
      guard case .awaited(let reader) = state.phase, reader.number == number else { return Reader?.none }
      return state.takeReader()
    }
    reader?.continuation.resume(returning: nil)
  }

  /// Returns nil if no event is waiting, and a nested nil if this reader will receive no event.
  private func take(orWaitWith reader: Reader? = nil) -> Envelope?? {
    state.withLock { state in
      if let envelope = state.waiting.popFirst() { return .some(envelope) }
      guard case .open = state.phase, state.givenUp != reader?.number else { return .some(nil) }
      if let reader { state.phase = .awaited(reader) }
      return nil
    }
  }

  /// Closes the mailbox. Waiting events can still be read.
  func close() {
    let reader = state.withLock { state in
      let reader = state.takeReader()
      state.phase = .closed
      return reader
    }
    reader?.continuation.resume(returning: nil)
  }

  /// Removes the waiting events and returns them, oldest first.
  func removeAll() -> [Envelope] { state.withLock { $0.waiting.removeAll { _ in true } } }
}
