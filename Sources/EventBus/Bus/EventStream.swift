import Synchronization

/// The events of one type, or of one key, since the stream was made.
///
/// ```swift
/// for await saved in bus.events(Saved.self) { print("saved", saved.file) }
/// ```
///
/// One consumer reads it: a second iterator is a precondition failure. It ends, with nil, only when the reading task is
/// cancelled or the bus is gone, never because the reader was slow: that is counted in ``dropped``. When the stream and its
/// iterator are released, the bus forgets them.
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

  /// The one iterator. Asking for a second is a precondition failure.
  public func makeAsyncIterator() -> Iterator {
    precondition(
      !source.hasIterator.exchange(true, ordering: .relaxed),
      "An EventStream has one consumer. Make another stream with events(_:) for the second one.")
    return Iterator(source: source)
  }

  /// Reads the events of a stream.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let source: Source

    /// The next event, as soon as there is one; nil when the task is cancelled, and when the bus is gone and all has been read.
    public mutating func next() async -> E? { await source.next() }

    /// The same, on the caller's executor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> E? { await source.next() }
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

    deinit { mailbox.close(discarding: true) }

    func next() async -> E? {
      guard let envelope = await mailbox.next() else {
        subscription.cancel()
        return nil
      }
      return unsafeDowncast(envelope, to: TypedEnvelope<E>.self).event
    }
  }
}
