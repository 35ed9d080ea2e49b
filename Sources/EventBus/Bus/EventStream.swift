import Synchronization

/// The events of one type, or with one key, that were posted after the stream was created.
///
/// ```swift
/// for await saved in bus.events(of: Saved.self) { print("saved", saved.file) }
/// ```
///
/// The stream ends only after ``close()``, after the bus is released, or when the stream and its iterators are released.
/// A slow reader does not end the stream; ``dropped`` counts the events that it loses. If the reading task is cancelled,
/// for example after a time limit, only its loop ends. Until the stream ends, its mailbox accepts events for the next
/// loop, whether or not a task is reading. When the stream is released, the events that wait in it are lost, and the
/// trace reports each of them as ``TraceEvent/Kind/discarded``.
///
/// Only one iteration reads at a time. A loop that breaks, or whose task is cancelled, leaves the remaining events to the
/// next loop. An iteration starts with the first call of its iterator's `next()`. The iteration ends when the iterator and
/// its copies are released, or when its task starts another iteration with a newer iterator. If its task is cancelled
/// while it waits, it ends immediately; otherwise with its next call of `next()`.
///
/// If another task starts an iteration in the meantime, its `next()` returns nil, and the first iteration continues.
/// `next()` also returns nil in a second task that uses a copy of an iterator that is already waiting, and on an
/// iterator that was created before the current iteration started. The first time this happens, the stream reports it
/// on standard error, with the file and line where the stream was created.
public struct EventStream<E: Event>: AsyncSequence, Sendable {
  /// The type of the events.
  public typealias Element = E
  /// A stream never throws.
  public typealias Failure = Never

  private let source: Source

  init(_ mailbox: StreamMailbox, _ subscription: Subscription) {
    source = Source(mailbox, subscription)
  }

  /// The number of events that were lost because the mailbox was full.
  public var dropped: Int { source.subscription.dropped }

  /// Whether a task is waiting for the next event.
  package var isAwaited: Bool { source.mailbox.hasReader }

  /// Creates an iterator that continues where the previous one stopped.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source, iteration: Iteration(source)) }

  /// Closes the stream. Waiting events can still be read. The reader then receives nil. You can call this method from
  /// any thread, any number of times.
  public func close() { source.close() }

  /// Reads the events of a stream. Copies belong to the same iteration.
  public struct Iterator: AsyncIteratorProtocol {
    // A direct reference, because access through the iteration would retain the source on each read, which would take
    // about a tenth of the read's time.
    fileprivate let source: Source
    fileprivate let iteration: Iteration

    /// Returns the next event when it arrives. Returns nil if the task is cancelled or another iteration owns the
    /// stream; the stream then continues. Also returns nil if the stream is closed or the bus is released, once all
    /// events have been read.
    public mutating func next() async -> E? { await next(isolation: nil) }

    /// Returns the next event on the caller's executor, without leaving the executor while events are waiting.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> E? {
      let identity = iteration.identity
      // A cancelled task must not take the stream from the next loop.
      guard source.owner.load(ordering: .relaxed) == identity || !Task.isCancelled && iteration.begin() else {
        return nil
      }
      var envelope = source.mailbox.poll()
      if envelope == nil {
        // The next loop can begin before the cancelled task resumes.
        envelope = .some(
          await source.mailbox.next(isolation: actor) { [source] in source.end(identity) })
      }
      guard let envelope, let envelope else {
        if source.mailbox.isClosed {
          source.close()
        } else if Task.isCancelled {
          source.end(identity)
        } else {
          source.reportSecondReader()
        }
        return nil
      }
      return envelope.event(E.self)
    }
  }

  /// The state that an iterator shares with its copies. The iteration owns the stream from the first read onward.
  fileprivate final class Iteration: Sendable {
    private let source: Source
    /// The number of iterations that had started before this one was created.
    private let predecessors: Int
    private let hasEnded = Atomic(false)

    init(_ source: Source) {
      self.source = source
      predecessors = source.begun
    }

    deinit { source.end(identity) }

    /// Acquires the stream. Returns false if another iteration owns the stream; every later call then also returns
    /// false.
    func begin() -> Bool {
      if hasEnded.load(ordering: .relaxed) { return false }
      if source.begin(identity, after: predecessors) { return true }
      hasEnded.store(true, ordering: .relaxed)
      source.reportSecondReader()
      return false
    }

    var identity: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
  }

  /// The shared owner of the subscription. The owner is released with the last copy of the stream and its iterators,
  /// which ends the subscription.
  fileprivate final class Source: Sendable {
    let mailbox: StreamMailbox
    /// The iteration that owns the stream, or 0. Written under the lock of ``iterations``.
    let owner = Atomic<UInt>(0)
    private let iterations = Locked(Iterations())
    private let hasReported = Atomic(false)
    let subscription: Subscription

    private struct Iterations {
      var begun = 0
      /// The task in which the last iteration started.
      var task: Int?
    }

    init(_ mailbox: StreamMailbox, _ subscription: Subscription) {
      self.mailbox = mailbox
      self.subscription = subscription
    }

    deinit {
      close()
      for envelope in mailbox.removeAll() { subscription.discard(envelope) }
    }

    func close() {
      subscription.cancel()
      mailbox.close()
    }

    var begun: Int { iterations.withLock { $0.begun } }

    /// Transfers the stream to an iteration, unless another one owns it.
    func begin(_ iteration: UInt, after predecessors: Int) -> Bool {
      let task = withUnsafeCurrentTask { $0?.hashValue }
      // In top-level code, Swift 6.3.1 never releases a loop's iterator. So if no task is reading, a new loop in the
      // same task takes over the stream.
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
        and gets no events; create another stream for it

        """)
    }
  }
}

extension EventBus {
  /// Returns a stream of the replayed events of a type and of all later ones, for use with `for await`.
  ///
  /// - Parameters:
  ///   - type: the type of the events.
  ///   - limit: the policy for events that exceed the limit.
  ///   - name: the reader's name, shown in the trace and in ``subscriptions``.
  ///   - fileID: the source file to record in the trace.
  ///   - line: the source line to record in the trace.
  /// - Returns: a stream that is already registered. Its events wait in a mailbox until they are read.
  public func events<E: Event>(
    of type: E.Type = E.self, limit: Overflow = .dropOldest(256), name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> EventStream<E> {
    channel(for: type).stream({ $0.everybody }, limit, name: name, fileID: fileID, line: line)
  }

  /// Returns a stream of the replayed events with one key and of all later ones, for use with `for await`.
  ///
  /// The other parameters and the result are the same as for ``events(of:limit:name:fileID:line:)``.
  public func events<E: KeyedEvent>(
    of type: E.Type = E.self, key: E.Key, limit: Overflow = .dropOldest(256), name: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> EventStream<E> {
    channel(for: type).stream({ $0.set(for: key, of: type) }, limit, name: name, fileID: fileID, line: line)
  }
}

extension Channel {
  fileprivate func stream<E: Event>(
    _ find: (Channel) -> SubscriberSet, _ overflow: Overflow, name: String?, fileID: StaticString, line: UInt
  ) -> EventStream<E> {
    overflow.validate()
    let mailbox = StreamMailbox(limit: overflow.limit, keepsNewest: overflow.keepsNewest)
    return EventStream(
      mailbox,
      Subscription(
        self, register(find, mailbox, .stream(mailbox), priority: 0, name: name, fileID: fileID, line: line)))
  }
}
