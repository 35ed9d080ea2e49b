import Synchronization

/// The events of one type, or of one key, since the stream was made.
///
/// ```swift
/// for await saved in bus.events(Saved.self) { print("saved", saved.file) }
/// ```
///
/// The stream ends, with nil, only when the reading task is cancelled, after ``close()``, or when the bus is gone. It does not
/// end because the reader is slow: ``dropped`` counts what is lost. When the stream and its iterators are released, the bus
/// forgets them.
///
/// One iteration reads at a time. A loop that breaks leaves the rest to the next loop. An iteration lasts from the first
/// `next()` of its iterator until that iterator and its copies are released. If a second iteration begins meanwhile, its
/// `next()` returns nil, as it does for a second task that waits with a copy of the iterator. The first mistake of a stream
/// writes one line to standard error, with the file and line of the stream.
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

  /// Makes an iterator, which reads from where the last one stopped.
  public func makeAsyncIterator() -> Iterator { Iterator(iteration: Iteration(source)) }

  /// Ends the stream. What waits can still be read, then comes nil. Any thread; idempotent.
  public func close() { source.close(discarding: false) }

  /// Reads the events of a stream. Its copies belong to the same iteration.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let iteration: Iteration

    /// Returns the next event as soon as there is one. Nil when the task is cancelled, when the stream is closed or the bus is
    /// gone and all has been read, and when another iteration reads.
    public mutating func next() async -> E? { await next(isolation: nil) }

    /// Does the same on the caller's executor, which it does not leave while there is something to read.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> E? {
      guard iteration.reads() else { return nil }
      let source = iteration.source
      var envelope = source.mailbox.poll()
      if envelope == nil { envelope = .some(await source.mailbox.next(isolation: actor)) }
      guard let envelope, let envelope else {
        if source.mailbox.isOver { source.close(discarding: false) } else { source.reportSecondReader() }
        return nil
      }
      return envelope.event(E.self)
    }
  }

  /// What an iterator and its copies share. It has the stream from its first read until it is released.
  fileprivate final class Iteration: Sendable {
    let source: Source
    private let hasEnded = Atomic(false)

    init(_ source: Source) { self.source = source }

    deinit { _ = source.iteration.compareExchange(expected: identity, desired: 0, ordering: .relaxed) }

    /// Whether the stream is this iteration's. Once it was another's, it stays false.
    func reads() -> Bool {
      if source.iteration.load(ordering: .relaxed) == identity { return true }
      if hasEnded.load(ordering: .relaxed) { return false }
      let (isTaken, owner) = source.iteration.compareExchange(expected: 0, desired: identity, ordering: .relaxed)
      if isTaken || owner == identity { return true }
      hasEnded.store(true, ordering: .relaxed)
      source.reportSecondReader()
      return false
    }

    private var identity: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
  }

  /// Released with the last copy of the stream and its iterators, and then the subscription ends.
  fileprivate final class Source: Sendable {
    let mailbox: StreamMailbox
    /// The identity of the iteration that has the stream, or 0. The mailbox's lock orders what the iterations read.
    let iteration = Atomic<UInt>(0)
    private let hasReported = Atomic(false)
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

    func reportSecondReader() {
      if hasReported.exchange(true, ordering: .relaxed) { return }
      let subscriber = subscription.subscriber
      System.report(
        """
        \(subscriber.fileID):\(subscriber.line): a second iteration of a stream of \(E.self) began before the first ended, \
        and gets nothing; make another stream for it

        """)
    }
  }
}
