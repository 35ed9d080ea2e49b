import Synchronization

/// The events of one type, or of one key, since the stream was made.
///
/// ```swift
/// for await saved in bus.events(Saved.self) { print("saved", saved.file) }
/// ```
///
/// One consumer reads it: a second iterator, or a second task that waits with a copy of the first, ends the process with a
/// message. The stream ends, with nil, only when the reading task is cancelled, after ``close()``, or when the bus is gone, never
/// because the reader was slow: that is counted in ``dropped``. When the stream and its iterator are released, the bus forgets
/// them.
public struct EventStream<E: Event>: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = E
  /// A stream does not fail.
  public typealias Failure = Never

  private let source: Source

  init(_ mailbox: StreamMailbox, _ subscription: Subscription) {
    source = Source(mailbox, subscription)
  }

  /// How many events were lost because the mailbox was full.
  public var dropped: Int { source.mailbox.dropped }

  /// The one iterator. Asking for a second ends the process with a message.
  public func makeAsyncIterator() -> Iterator {
    if source.hasIterator.exchange(true, ordering: .relaxed) { fatalError(StreamMailbox.twoReaders) }
    return Iterator(source: source)
  }

  /// Ends the stream. What waits can still be read, then comes nil. Any thread; idempotent.
  public func close() { source.close(discarding: false) }

  /// Reads the events of a stream.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let source: Source

    /// The next event, as soon as there is one; nil when the task is cancelled, and when the bus is gone and all has been read.
    public mutating func next() async -> E? { await next(isolation: nil) }

    /// The same, on the caller's executor, which it does not leave while there is something to read.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> E? {
      var envelope = source.mailbox.poll()
      if envelope == nil { envelope = .some(await source.mailbox.next(isolation: actor)) }
      guard let envelope, let envelope else {
        source.close(discarding: false)
        return nil
      }
      return envelope.event(E.self)
    }
  }

  /// Released with the last copy of the stream and its iterator, and then the subscription ends.
  fileprivate final class Source: Sendable {
    let mailbox: StreamMailbox
    let hasIterator = Atomic<Bool>(false)
    private let subscription: Subscription

    init(_ mailbox: StreamMailbox, _ subscription: Subscription) {
      self.mailbox = mailbox
      self.subscription = subscription
    }

    deinit { close(discarding: true) }

    func close(discarding: Bool) {
      subscription.cancel()
      mailbox.close(discarding: discarding)
    }
  }
}
