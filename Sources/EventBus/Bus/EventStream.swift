import Synchronization

/// The events of one type, or of one key, since the stream was made.
///
/// ```swift
/// for await saved in bus.events(of: Saved.self) { print("saved", saved.file) }
/// ```
///
/// The stream ends, with nil, only when the reading task is cancelled, after ``close()``, or when the bus is gone. It does not
/// end because the reader is slow: ``dropped`` counts what is lost. When the stream and its iterators are released, the bus
/// forgets them.
///
/// One iteration reads at a time. A loop that breaks leaves the rest to the next loop. An iteration begins with the first
/// `next()` of its iterator. It ends when the iterator and its copies are released, or when its task begins another one with
/// an iterator made since.
///
/// If another task begins an iteration meanwhile, its `next()` returns nil, and the first continues. The same holds for a
/// second task that waits with a copy of the iterator, and for an iterator made before. The first such mistake writes one line
/// to standard error, with the file and line of the stream.
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
  public func makeAsyncIterator() -> Iterator { Iterator(source: source, iteration: Iteration(source)) }

  /// Ends the stream. What waits can still be read, then comes nil. Any thread; idempotent.
  public func close() { source.close(discarding: false) }

  /// Reads the events of a stream. Its copies belong to the same iteration.
  public struct Iterator: AsyncIteratorProtocol {
    // Not by way of the iteration: to retain the source at each read costs a tenth of the read.
    fileprivate let source: Source
    fileprivate let iteration: Iteration

    /// Returns the next event as soon as there is one. Nil when the task is cancelled, when the stream is closed or the bus is
    /// gone and all has been read, and when another iteration has the stream.
    public mutating func next() async -> E? { await next(isolation: nil) }

    /// Does the same on the caller's executor, which it does not leave while there is something to read.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> E? {
      guard source.owner.load(ordering: .relaxed) == iteration.identity || iteration.begin() else { return nil }
      var envelope = source.mailbox.poll()
      if envelope == nil { envelope = .some(await source.mailbox.next(isolation: actor)) }
      guard let envelope, let envelope else {
        if source.mailbox.isOver { source.close(discarding: false) } else { source.reportSecondReader() }
        return nil
      }
      return envelope.event(E.self)
    }
  }

  /// What an iterator and its copies share. It has the stream from its first read on.
  fileprivate final class Iteration: Sendable {
    private let source: Source
    /// How many iterations had begun when this one was made.
    private let predecessors: Int
    private let hasEnded = Atomic(false)

    init(_ source: Source) {
      self.source = source
      predecessors = source.begun
    }

    deinit { source.end(identity) }

    /// Takes the stream. False if another iteration has it, and from then on.
    func begin() -> Bool {
      if hasEnded.load(ordering: .relaxed) { return false }
      if source.begin(identity, after: predecessors) { return true }
      hasEnded.store(true, ordering: .relaxed)
      source.reportSecondReader()
      return false
    }

    var identity: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
  }

  /// Released with the last copy of the stream and its iterators, and then the subscription ends.
  fileprivate final class Source: Sendable {
    let mailbox: StreamMailbox
    /// The iteration that has the stream, or 0. Written under the lock of ``iterations``.
    let owner = Atomic<UInt>(0)
    private let iterations = Locked(Iterations())
    private let hasReported = Atomic(false)
    private let subscription: Subscription

    private struct Iterations {
      var begun = 0
      /// The task in which the last iteration began.
      var task: Int?
    }

    init(_ mailbox: StreamMailbox, _ subscription: Subscription) {
      self.mailbox = mailbox
      self.subscription = subscription
    }

    deinit { close(discarding: true) }

    func close(discarding: Bool) {
      subscription.cancel()
      mailbox.close(discarding: discarding)
    }

    var begun: Int { iterations.withLock { $0.begun } }

    /// Gives the stream to an iteration, unless another one has it.
    func begin(_ iteration: UInt, after predecessors: Int) -> Bool {
      let task = withUnsafeCurrentTask { $0?.hashValue }
      // A task runs one loop after the other, but the top level of a program never releases the iterator of a loop (Swift 6.3.1).
      let isNext = !mailbox.hasReader
      return iterations.withLock { iterations in
        let current = owner.load(ordering: .relaxed)
        if current == iteration { return true }
        let follows = isNext && task == iterations.task && predecessors == iterations.begun
        guard current == 0 || follows else { return false }
        owner.store(iteration, ordering: .relaxed)
        iterations = Iterations(begun: iterations.begun + 1, task: task)
        return true
      }
    }

    func end(_ iteration: UInt) {
      iterations.withLock { _ in _ = owner.compareExchange(expected: iteration, desired: 0, ordering: .relaxed) }
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

extension EventBus {
  /// The events of a type from now on, to be read with `for await`.
  ///
  /// - Parameters:
  ///   - type: the type of the events.
  ///   - overflow: what happens when more events wait than the reader has time for.
  ///   - name: the reader, for the trace and for ``subscriptions``.
  ///   - fileID: given to the trace.
  ///   - line: given to the trace.
  /// - Returns: a stream that is registered when this returns. Its events wait in a mailbox until they are read.
  public func events<E: Event>(
    of type: E.Type = E.self, overflow: Overflow = .dropOldest(256), name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> EventStream<E> {
    channel(for: type).stream({ $0.everybody }, overflow, name: name, fileID: fileID, line: line)
  }

  /// The events of one key from now on, to be read with `for await`.
  ///
  /// The other parameters and the result are as in ``events(of:overflow:name:fileID:line:)``.
  public func events<E: KeyedEvent>(
    of type: E.Type = E.self, key: E.Key, overflow: Overflow = .dropOldest(256), name: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> EventStream<E> {
    channel(for: type).stream({ $0.set(for: key, of: type) }, overflow, name: name, fileID: fileID, line: line)
  }
}

extension Channel {
  fileprivate func stream<E: Event>(
    _ find: (Channel) -> SubscriberSet, _ overflow: Overflow, name: String?, fileID: StaticString, line: UInt
  ) -> EventStream<E> {
    overflow.validate()
    let mailbox = StreamMailbox(overflow)
    return EventStream(
      mailbox, register(find, mailbox, .stream(mailbox), priority: 0, name: name, fileID: fileID, line: line))
  }
}
