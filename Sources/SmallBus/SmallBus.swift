import Dispatch
import Foundation

/// A notification bus in one file, written to be read: typed events, tokens, and delivery on main.
///
/// Any sendable value can be an event, and its type is the topic. A subscription lasts as long as its token.
///
/// ```swift
/// let bus = SmallBus()
/// let drawing = bus.subscribe(to: Saved.self, on: .main) { print("draw", $0.file) }
/// bus.post(Saved(file: "notes.txt"))  // returns 1; main draws later
/// ```
///
/// The bus calls subscribers in the order in which they subscribed, holds no lock while it calls them, and never waits
/// for main. The page *From a small bus to this one* in the `EventBus` module shows in four runs what this bus gets
/// wrong. The comments below show where.
///
/// Unchecked because the compiler cannot see that `lock` guards `topics` and `lastID`.
public final class SmallBus: @unchecked Sendable {
  private let lock = NSLock()
  /// A ``Topic`` for each event type, keyed by the type's identity.
  private var topics: [ObjectIdentifier: AnyObject] = [:]
  private var lastID = 0

  /// The subscribers to one event type, in the order in which they subscribed: `handlers[i]` belongs to `ids[i]`.
  private final class Topic<Event> {
    var ids: [Int] = []
    var handlers: [@Sendable (Event) -> Void] = []
  }

  /// Creates a bus without subscribers.
  public init() {}

  // MARK: Posting

  /// Calls the subscribers of the event's type, and returns how many there were.
  ///
  /// Handlers without a queue return before `post` does. If `post` runs on main, handlers on main begin afterward.
  @discardableResult
  public func post<Event: Sendable>(_ event: Event) -> Int {
    // A copy, so the lock is free while handlers run: they can post, subscribe and cancel. Run 1: a handler can cancel
    // another one, but the copy still contains it. Run 3: a handler can post, and that event overtakes this one for all
    // handlers later in the copy.
    let handlers = lock.withLock { topic(of: Event.self).handlers }
    for handler in handlers { handler(event) }
    return handlers.count
  }

  // MARK: Subscribing

  /// A queue on which a handler can run instead of on the posting thread.
  public enum Queue: Sendable {
    /// The main queue.
    case main
  }

  /// Calls `handler` for every event of a type, on the posting thread and before `post` returns.
  ///
  /// - Returns: the token. Releasing it ends the subscription.
  public func subscribe<Event: Sendable>(
    to type: Event.Type, _ handler: @escaping @Sendable (Event) -> Void
  ) -> Subscription {
    let id = lock.withLock {
      lastID += 1
      topic(of: type).ids.append(lastID)
      topic(of: type).handlers.append(handler)
      return lastID
    }
    return Subscription { [weak self] in self?.remove(id, from: type) }
  }

  /// Calls `handler` on main for every event of a type, in the order of the posts.
  ///
  /// - Returns: the token. Releasing it ends the subscription.
  public func subscribe<Event: Sendable>(
    to type: Event.Type, on queue: Queue, _ handler: @escaping @MainActor (Event) -> Void
  ) -> Subscription {
    subscribe(to: type) { event in
      // Run 2: once this block is on the queue, cancelling does not remove it.
      // Run 4: each event adds another block, no matter how many are already waiting.
      DispatchQueue.main.async { handler(event) }
    }
  }

  /// The token of a subscription. A view stores it when it appears, and cancels it when it disappears.
  public final class Subscription: Sendable {
    private let remove: @Sendable () -> Void

    fileprivate init(remove: @escaping @Sendable () -> Void) { self.remove = remove }

    deinit { cancel() }

    /// Ends the subscription. You can call this method from any thread, any number of times.
    public func cancel() { remove() }
  }

  // MARK: Under the lock

  /// Returns the topic of a type, and creates it on the first call. The caller must hold the lock.
  private func topic<Event>(of type: Event.Type) -> Topic<Event> {
    let id = ObjectIdentifier(type)
    // The cast always succeeds, because the type itself is the key.
    if let topic = topics[id] { return topic as! Topic<Event> }
    let topic = Topic<Event>()
    topics[id] = topic
    return topic
  }

  private func remove<Event>(_ id: Int, from type: Event.Type) {
    let removed: (@Sendable (Event) -> Void)? = lock.withLock {
      let topic = topic(of: type)
      // The search reads half of the IDs on average; see the `small-churn` row in Benchmarks.
      guard let index = topic.ids.firstIndex(of: id) else { return nil }
      topic.ids.remove(at: index)
      return topic.handlers.remove(at: index)
    }
    // The handler is released here, after unlocking, because its captures may use the bus in their `deinit`.
    _ = removed
  }
}
