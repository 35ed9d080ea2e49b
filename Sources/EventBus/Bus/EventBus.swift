import Synchronization

/// Delivers events to those who subscribed to their type.
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
/// All methods may be called on any thread. No lock is held while a handler runs or while what it captured is released.
public final class EventBus: Sendable {
  /// A bus for the whole process, on Dispatch.
  public static let shared = EventBus()

  @usableFromInline let core: BusCore
  private let onUnhandled: (@Sendable (any Event) -> Void)?
  @usableFromInline let reportsUnhandled: Bool

  /// Makes a bus that is independent of all others.
  ///
  /// - Parameters:
  ///   - runtime: the schedulers and the clock it uses.
  ///   - onFailure: called on the delivering thread when a handler throws. By default, the bus writes one line to standard error.
  ///   - onUnhandled: called on the posting thread if no subscriber accepted an event. It is not called for the events that it posts itself.
  ///   - trace: called on the thread where each step happens, with no lock held. It must not use the bus.
  public init(
    runtime: any Runtime = DispatchRuntime.shared,
    onFailure: (@Sendable (HandlerFailure) -> Void)? = nil,
    onUnhandled: (@Sendable (any Event) -> Void)? = nil,
    trace: (@Sendable (TraceEvent) -> Void)? = nil
  ) {
    core = BusCore(runtime: runtime, onFailure: onFailure, trace: trace)
    self.onUnhandled = onUnhandled
    reportsUnhandled = onUnhandled != nil || trace != nil
  }

  /// Events that are already in a mailbox are still delivered. Delayed posts that are not yet due are discarded.
  deinit {
    core.delayed.close()
    core.channels.removeAll()
  }

  /// Posts an event to all current subscribers of its type. Does not wait for handlers on other threads, except for a
  /// subscription that is far behind with its replay (rule 7 of the guarantees).
  ///
  /// A post inside a handler is delivered after the event that the handler is processing. So every subscriber sees the two
  /// in the same order, however deep the chain.
  ///
  /// - Parameters:
  ///   - event: what happened.
  ///   - fileID: given to the trace.
  ///   - line: given to the trace.
  /// - Returns: the number of subscribers that accepted the event: they were called, or have it in their mailbox. For a post inside a
  ///   handler, the number that will be called unless they cancel first.
  @inlinable
  @discardableResult
  public func post<E: Event>(_ event: E, fileID: StaticString = #fileID, line: UInt = #line) -> Int {
    if _slowPath(core.isTracing) { core.emit(.posted, event, fileID, line) }
    let accepted: Int
    if let channel = core.channels.find(E.self) {
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

  /// Posts an event once `delay` has passed, if the bus still lives then.
  ///
  /// Delayed posts are made one after the other on a serial scheduler of the bus, in the order of their times; those with equal
  /// times in the order of these calls.
  ///
  /// - Returns: calls the post off. Dropping it changes nothing.
  @discardableResult
  public func post<E: Event>(
    _ event: E, after delay: Duration, fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Cancellation {
    core.delayed.add(after: delay) { [weak self] in _ = self?.post(event, fileID: fileID, line: line) }
  }

  /// The current number of subscriptions and streams of this type, with a key and without.
  public func subscriberCount<E: Event>(for type: E.Type) -> Int {
    core.channels.find(type)?.takeUnretainedValue().count.load(ordering: .sequentiallyConsistent) ?? 0
  }

  /// Waits until every accepted event is handled: all mailboxes of handlers are empty, and no handler runs. This includes the
  /// events that handlers post. Delayed posts that are not yet due, and unread events of streams, do not count.
  ///
  /// A runtime that is advanced by hand must be advanced during the wait.
  ///
  /// - Returns: true when all events are handled; false if the task was cancelled first.
  @discardableResult
  public func drain() async -> Bool { await core.drain() }

  @inlinable
  func channel<E: Event>(for type: E.Type) -> Channel {
    core.channels.find(type)?.takeUnretainedValue() ?? makeChannel(for: type)
  }

  // Separate from the lookup, which each subscription makes and which then needs no reference to the table.
  @inlinable
  @inline(never)
  func makeChannel<E: Event>(for type: E.Type) -> Channel {
    let channel = Channel(core, type, EventOperations(type))
    // Replay by key requires that the channel keeps events by key from the first post on.
    if channel.isReplaying, let keyed = type as? any KeyedEvent.Type { _ = channel.index(for: keyed) }
    return core.channels.insert(channel, for: type)
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
  /// The newest event of a type that replays; nil when there was none, after ``forget(_:)``, or when the type does not replay.
  public func last<E: Event>(_ type: E.Type = E.self) -> E? {
    known(type).flatMap { $0.newest(in: $0.everybody)?.event(type) }
  }

  /// The newest event of one key.
  public func last<E: KeyedEvent>(_ type: E.Type = E.self, key: E.Key) -> E? {
    known(type).flatMap { $0.existingSet(for: key, of: type).flatMap($0.newest)?.event(type) }
  }

  /// Removes all events of a type that were posted until now from the replay. A subscription still gets the
  /// replay that it was registered with.
  ///
  /// - Returns: the removed events, oldest first.
  @discardableResult
  public func forget<E: Event>(_ type: E.Type) -> [E] {
    known(type)?.forgetAll().map { $0.event(type) } ?? []
  }

  /// Removes the events of one key that were posted until now from the replay.
  ///
  /// - Returns: the removed events, oldest first.
  @discardableResult
  public func forget<E: KeyedEvent>(_ type: E.Type, key: E.Key) -> [E] {
    known(type).flatMap { $0.existingSet(for: key, of: type).map($0.forget) }?.map { $0.event(type) } ?? []
  }

  private func known(_ type: any Event.Type) -> Channel? { core.channels.find(type)?.takeUnretainedValue() }
}
