import Dispatch
import Foundation

/// A notification bus in one file, for reading: typed events, tokens, and delivery on main.
///
/// An event is any sendable value, and its type is the topic. A subscription lasts as long as its token.
///
/// ```swift
/// let bus = SmallBus()
/// let drawing = bus.subscribe(to: Saved.self, on: .main) { print("draw", $0.file) }
/// bus.post(Saved(file: "notes.txt"))  // returns 1; main draws later
/// ```
///
/// It calls subscribers in the order in which they came, holds no lock while it calls them, and never waits for main.
/// The page *From a small bus to this one* of the module `EventBus` shows in four runs what it gets wrong. The comments
/// below say where.
///
/// Unchecked because the compiler cannot see that `lock` guards `topics` and `lastID`.
public final class SmallBus: @unchecked Sendable {
  private let lock = NSLock()
  /// A ``Topic`` for each type of event, under the identity of the type.
  private var topics: [ObjectIdentifier: AnyObject] = [:]
  private var lastID = 0

  /// The subscribers of one type of event, in the order in which they came: `ids[i]` has `handlers[i]`.
  private final class Topic<Event> {
    var ids: [Int] = []
    var handlers: [@Sendable (Event) -> Void] = []
  }

  /// Creates a bus without subscribers.
  public init() {}

  // MARK: Posting

  /// Calls the subscribers of the event's type, and returns how many there were.
  ///
  /// Handlers without a queue have returned when `post` returns. Handlers on main have not begun if this runs on main.
  @discardableResult
  public func post<Event: Sendable>(_ event: Event) -> Int {
    // A copy, so that the lock is free while handlers run: they may post, subscribe and cancel.
    // Run 1: a handler can cancel another one, but the copy still contains it.
    // Run 3: a handler can post, and that event overtakes this one for all that come later in the copy.
    let handlers = lock.withLock { topic(of: Event.self).handlers }
    for handler in handlers { handler(event) }
    return handlers.count
  }

  // MARK: Subscribing

  /// Where a handler can run other than on the thread that posts.
  public enum Queue: Sendable {
    /// The main queue.
    case main
  }

  /// Calls `handler` for every event of a type, on the thread that posts and before `post` returns.
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
      // Run 2: once this block is on the queue, no cancel takes it back.
      // Run 4: each event is one more block, however many are there already.
      DispatchQueue.main.async { handler(event) }
    }
  }

  /// The right to be called. A view stores it when it appears, and cancels it when it disappears.
  public final class Subscription: Sendable {
    private let remove: @Sendable () -> Void

    fileprivate init(remove: @escaping @Sendable () -> Void) { self.remove = remove }

    deinit { cancel() }

    /// Ends the subscription. You can call this method on any thread, and repeatedly.
    public func cancel() { remove() }
  }

  // MARK: Under the lock

  /// Returns the topic of a type, and makes it the first time. The caller holds the lock.
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
      // The search reads half of the IDs on average: see the row `small-churn` of Benchmarks.
      guard let index = topic.ids.firstIndex(of: id) else { return nil }
      topic.ids.remove(at: index)
      return topic.handlers.remove(at: index)
    }
    // The handler is released here, after unlocking: what it captured may use the bus in its `deinit`.
    _ = removed
  }
}
