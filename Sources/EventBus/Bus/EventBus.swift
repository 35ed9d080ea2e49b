import Synchronization

/// Delivers events to the subscribers of their type.
///
/// ```swift
/// struct Saved: Event { let file: String }
///
/// let bus = EventBus()
/// let subscription = bus.subscribe(to: Saved.self) { print("saved", $0.file) }
/// bus.post(Saved(file: "notes.txt"))
/// subscription.cancel()
/// ```
///
/// All methods can be called on any thread. The bus holds no lock while it runs a handler or releases a handler's
/// captures.
public final class EventBus: Sendable {
  @usableFromInline let core: BusCore
  @usableFromInline let channels = ChannelTable()
  private let mailboxes: MailboxTable
  private let delayed: DelayedPosts
  private let onUnhandled: (@Sendable (any Event) -> Void)?
  @usableFromInline let reportsUnhandled: Bool

  /// Creates an independent bus.
  ///
  /// - Parameters:
  ///   - runtime: the bus's schedulers and clock.
  ///   - onFailure: a closure that is called on the delivering thread when a handler throws. By default, the bus writes
  ///     one line to standard error.
  ///   - onUnhandled: a closure that is called on the posting thread if no subscriber accepted an event. It is not
  ///     called for events that this closure itself posts.
  ///   - trace: a closure that is called for each step, on the thread that performs it and with no lock held. The
  ///     closure must not use the bus.
  public init(
    runtime: any Runtime = DispatchRuntime.shared,
    onFailure: (@Sendable (HandlerFailure) -> Void)? = nil,
    onUnhandled: (@Sendable (any Event) -> Void)? = nil,
    trace: (@Sendable (TraceEvent) -> Void)? = nil
  ) {
    core = BusCore(runtime: runtime, onFailure: onFailure, trace: trace)
    mailboxes = MailboxTable(core)
    delayed = DelayedPosts(runtime)
    self.onUnhandled = onUnhandled
    reportsUnhandled = onUnhandled != nil || trace != nil
  }

  /// The bus's schedulers and clock. A component that is given only a bus subscribes on
  /// `.scheduler(bus.runtime.serial("label"))`, which follows the clock of a test as well.
  public var runtime: any Runtime { core.runtime }

  /// Whether the bus has a closure that traces its steps.
  package var isTraced: Bool { core.isTracing }

  /// Discards delayed posts that are not yet due, and traces each of them as ``TraceEvent/Kind/discarded``. Events that
  /// are already in a mailbox are still delivered, and events in a stream can still be read.
  deinit {
    delayed.close()
    channels.closeAll()
  }

  /// Posts an event to all current subscribers to its type. The call does not wait for handlers on other threads, with
  /// one exception: a subscription whose replay is far behind (rule 7 of the guarantees).
  ///
  /// A post inside a handler is delivered after the event that the handler is processing. Every subscriber therefore
  /// sees the two events in the same order, at any nesting depth.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - fileID: the source file to record in the trace.
  ///   - line: the source line to record in the trace.
  /// - Returns: the number of subscribers that accepted the event: their handlers ran, or their mailbox contains the
  ///   event. For a post inside a handler, this is the number of handlers that will run unless their subscriptions are
  ///   cancelled first.
  @inlinable
  @discardableResult
  public func post<E: Event>(_ event: E, fileID: StaticString = #fileID, line: UInt = #line) -> Int {
    if _slowPath(core.isTracing) { core.emit(.posted, event, fileID, line) }
    let accepted: Int
    if let channel = channels.find(E.self) {
      accepted = channel._withUnsafeGuaranteedRef { $0.post(event) }
    } else {
      accepted = E.replay > 0 ? channel(for: E.self).post(event) : 0
    }
    if accepted == 0 {
      if reportsUnhandled { reportUnhandled(event, fileID, line) }
    } else if _slowPath(core.isTracing) {
      core.emit(.accepted, event, fileID, line)
    }
    return accepted
  }

  /// Posts an event after `delay`, if the bus still exists at that time. Otherwise the trace reports the event as
  /// ``TraceEvent/Kind/discarded`` when the bus is released.
  ///
  /// The bus performs delayed posts on a serial scheduler, in the order of their due times. Posts with equal due times
  /// are performed in the order in which this method was called.
  ///
  /// - Returns: a handle that cancels the post. Releasing the handle has no effect.
  @discardableResult
  public func post<E: Event>(
    _ event: E, after delay: Duration, fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Cancellation {
    delayed.add(after: delay) { [weak self, core] in
      if let self {
        self.post(event, fileID: fileID, line: line)
      } else if core.isTracing {
        core.emit(.discarded, event, fileID, line)
      }
    }
  }

  /// Returns the current number of subscriptions and streams for this type, with and without a key.
  public func subscriberCount<E: Event>(for type: E.Type) -> Int {
    channels.find(type)?.takeUnretainedValue().count.load(ordering: .sequentiallyConsistent) ?? 0
  }

  /// Waits until every accepted event is handled: all handler mailboxes are empty, and no handler is running. Events
  /// that handlers post are included. Delayed posts that are not yet due and unread events in streams are excluded.
  ///
  /// If the runtime's clock is advanced manually, advance it during the wait.
  ///
  /// - Returns: true once all events are handled, or false if the task was cancelled first.
  @discardableResult
  public func drain() async -> Bool {
    await core.drain { for mailbox in mailboxes.all { mailbox.discardDead() } }
  }

  @inlinable
  func channel<E: Event>(for type: E.Type) -> Channel {
    channels.find(type)?.takeUnretainedValue() ?? makeChannel(for: type)
  }

  // This function is separate from `channel(for:)`, so that the lookup, which every subscription performs, does not
  // retain the table of channels.
  @inlinable
  @inline(never)
  func makeChannel<E: Event>(for type: E.Type) -> Channel {
    let channel = Channel(core, type, EventOperations(type))
    // To support replay by key, the channel must store events by key from the first post onward.
    if channel.isReplaying, let keyed = type as? any KeyedEvent.Type { _ = channel.index(for: keyed) }
    return channels.insert(channel, for: type)
  }

  /// Registers a handler for the events that a delivery brings to it.
  @usableFromInline
  func register(
    _ find: (Channel) -> SubscriberSet, of channel: Channel, _ handler: consuming AnyObject, _ delivery: Delivery,
    priority: Int, name: String?, fileID: StaticString, line: UInt
  ) -> Subscription {
    var destination = Registration.Destination.posting
    var limit: BoundedBuffer?
    if let scheduler = delivery.scheduler(of: core.runtime) {
      destination = .mailbox(mailboxes.mailbox(on: scheduler))
      limit = delivery.limit.limit.map { BoundedBuffer($0, keepsNewest: delivery.limit.keepsNewest) }
    }
    return Subscription(
      channel,
      channel.register(
        find, handler, destination, limit: limit, priority: priority, name: name, fileID: fileID, line: line))
  }

  @usableFromInline
  func reportUnhandled<E: Event>(_ event: E, _ fileID: StaticString, _ line: UInt) {
    if core.isTracing { core.emit(.unhandled, event, fileID, line) }
    let root = HazardRegistry.shared.root
    let id = ObjectIdentifier(self)
    guard let onUnhandled, !root.storage.pointee.reportingUnhandled.contains(id) else { return }
    root.storage.pointee.reportingUnhandled.append(id)
    defer { root.storage.pointee.reportingUnhandled.removeLast() }
    onUnhandled(event)
  }
}

extension EventBus {
  /// Returns the most recent event of a type that replays. Returns nil before the first event, after ``forget(_:)``, or
  /// if the type does not replay.
  public func last<E: Event>(_ type: E.Type = E.self) -> E? {
    known(type).flatMap { $0.newest(in: $0.everybody)?.event(type) }
  }

  /// Returns the most recent event with one key.
  public func last<E: KeyedEvent>(_ type: E.Type = E.self, key: E.Key) -> E? {
    known(type).flatMap { $0.existingSet(for: key, of: type).flatMap($0.newest)?.event(type) }
  }

  /// Removes all past events of a type from the replay. An existing subscription still receives the replay that was
  /// current when it was registered.
  ///
  /// - Returns: the removed events, oldest first.
  @discardableResult
  public func forget<E: Event>(_ type: E.Type) -> [E] {
    known(type)?.forgetAll().map { $0.event(type) } ?? []
  }

  /// Removes the past events with one key from the replay.
  ///
  /// - Returns: the removed events, oldest first.
  @discardableResult
  public func forget<E: KeyedEvent>(_ type: E.Type, key: E.Key) -> [E] {
    known(type).flatMap { $0.existingSet(for: key, of: type).map($0.forget) }?.map { $0.event(type) } ?? []
  }

  private func known(_ type: any Event.Type) -> Channel? { channels.find(type)?.takeUnretainedValue() }
}
