/// Delivers events to those who subscribed to their type.
///
/// ```swift
/// struct Saved: Event { let file: String }
///
/// let bus = EventBus()
/// let subscription = bus.subscribe(to: Saved.self, on: .main) { print($0.file) }
/// bus.post(Saved(file: "notes.txt"))
/// ```
///
/// All methods may be called on any thread. No lock is held while a handler runs or while what it captured is released.
public final class EventBus: Sendable {
  /// A bus for the whole process, on Dispatch.
  public static let shared = EventBus()

  let core: BusCore
  private let onUnhandled: (@Sendable (any Event) -> Void)?

  /// Makes a bus that knows nothing of any other.
  ///
  /// - Parameters:
  ///   - runtime: the places and the clock it uses.
  ///   - onFailure: called on the delivering thread when a handler throws; without it one line goes to standard error.
  ///   - onUnhandled: called on the posting thread when nobody accepted an event. What it posts is not reported again.
  public init(
    runtime: any Runtime = DispatchRuntime.shared,
    onFailure: (@Sendable (HandlerFailure) -> Void)? = nil,
    onUnhandled: (@Sendable (any Event) -> Void)? = nil
  ) {
    core = BusCore(runtime: runtime, onFailure: onFailure)
    self.onUnhandled = onUnhandled
  }

  /// Posts an event to everybody who is subscribed to its type now. Never waits for a handler on another thread.
  ///
  /// A post inside a handler is delivered after the event that the handler was called for, so that every subscriber sees the
  /// two in the same order, however deep the chain.
  ///
  /// - Returns: how many subscribers accepted the event, called at once or later.
  @discardableResult
  public func post<E: Event>(_ event: E) -> Int {
    let accepted = channel(for: E.self).post(event)
    if accepted == 0, let onUnhandled, !InlineTurn.isReportingUnhandled(core) {
      InlineTurn.reportUnhandled(core) { onUnhandled(event) }
    }
    return accepted
  }

  /// Posts an event once `delay` has passed, from a worker of the runtime, if the bus still lives then.
  ///
  /// - Returns: calls the post off. Dropping it changes nothing.
  @discardableResult
  public func post<E: Event>(_ event: E, after delay: Duration) -> any Cancellation {
    core.runtime.workers.schedule(after: delay) { [weak self] in _ = self?.post(event) }
  }

  /// How many subscriptions to this type are active, with a key and without.
  public func subscriberCount<E: Event>(for type: E.Type) -> Int { channel(for: type).count }

  func channel<E: Event>(for type: E.Type) -> Channel<E> {
    let found = core.channels.withLock { $0[ObjectIdentifier(type)] }
    if let found { return unsafeDowncast(found, to: Channel<E>.self) }
    let made = unsafeDowncast(E._makeChannel(for: self), to: Channel<E>.self)
    return core.channels.withLock { table in
      if let first = table[ObjectIdentifier(type)] { return unsafeDowncast(first, to: Channel<E>.self) }
      table[ObjectIdentifier(type)] = made
      return made
    }
  }

  func keyedChannel<E: KeyedEvent>(for type: E.Type) -> KeyedChannel<E> {
    unsafeDowncast(channel(for: type), to: KeyedChannel<E>.self)
  }
}
