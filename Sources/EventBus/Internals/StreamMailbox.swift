import Synchronization

/// The mailbox of one ``EventStream``. The mailbox holds the posted events that have not been read yet.
final class StreamMailbox: Sendable {
  private let overflow: Overflow
  private let state = Locked(State())

  private struct State: Sendable {
    var waiting = RingBuffer<Envelope>()
    var reader: Reader?
    /// The number of times that a reader began to wait.
    var waits: UInt64 = 0
    /// The last wait that a cancellation ended, possibly before its reader was stored.
    var givenUp: UInt64 = 0
    var isOver = false
  }

  private struct Reader: Sendable {
    let continuation: UnsafeContinuation<Envelope?, Never>
    let number: UInt64
  }

  init(_ overflow: Overflow) { self.overflow = overflow }

  var isOver: Bool { state.withLock { $0.isOver } }
  var hasReader: Bool { state.withLock { $0.reader != nil } }

  /// Offers an event to the reader or stores it. Requires the channel's lock.
  func offer(_ envelope: Envelope, to subscriber: Subscriber, _ effects: inout Effects) {
    state.withLock { state in
      if state.isOver { return }
      if let reader = state.reader.take() {
        effects.accepted += 1
        effects.add(.resume(reader.continuation, with: envelope))
        return
      }
      if let limit = overflow.limit, state.waiting.count >= limit {
        subscriber.countDrops()
        effects.add(.dropped(subscriber))
        guard overflow.keepsNewest, let oldest = state.waiting.popFirst() else { return }
        effects.release(oldest)
      }
      state.waiting.append(envelope)
      effects.accepted += 1
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
      return state.reader?.number == number ? state.reader.take() : nil
    }
    reader?.continuation.resume(returning: nil)
  }

  /// Returns nil if no event is waiting, and a nested nil if this reader will receive no event.
  private func take(orWaitWith reader: Reader? = nil) -> Envelope?? {
    state.withLock { state in
      if let envelope = state.waiting.popFirst() { return .some(envelope) }
      if state.isOver || state.reader != nil || state.givenUp == reader?.number { return .some(nil) }
      state.reader = reader
      return nil
    }
  }

  /// Closes the mailbox. Waiting events can still be read.
  func close() {
    let reader = state.withLock { state in
      state.isOver = true
      return state.reader.take()
    }
    reader?.continuation.resume(returning: nil)
  }

  /// Removes the waiting events and returns them, oldest first.
  func removeAll() -> [Envelope] { state.withLock { $0.waiting.removeAll { _ in true } } }
}
