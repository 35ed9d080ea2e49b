import Synchronization

/// The right to be called. Keep it as long as you want to be called: dropping it cancels. The overview of the module says why.
public final class Subscription: Hashable, Sendable {
  private let channel: Channel
  let subscriber: Subscriber

  init(_ channel: Channel, _ subscriber: Subscriber) {
    self.channel = channel
    self.subscriber = subscriber
  }

  deinit { cancel() }

  /// Ends the subscription and lets go of the handler. Any thread; idempotent; harmless when the bus is gone.
  ///
  /// Called on the subscription's serial scheduler, or on the posting thread for `.posting`, it is final: no call begins
  /// after it returns, neither for the rest of the event being delivered nor for events already queued. Called elsewhere, a
  /// call that had already begun may still be running: see ``cancelAndWait()``.
  ///
  /// What the handler captured is released before this returns, or by the last delivery of the same type that is under way.
  public func cancel() { channel.cancel(subscriber) }

  /// Ends the subscription, and blocks until no other thread is in the handler.
  ///
  /// Inside the handler itself it returns at once. Two handlers that wait for each other, and a handler that needs the waiting
  /// thread, wait for ever.
  @available(*, noasync, message: "It blocks the thread; use cancel().")
  public func cancelAndWait() {
    cancel()
    channel.waitForCalls(of: subscriber)
  }

  /// Whether events are still delivered: false after ``cancel()``, after the only event of `once`, and when the bus
  /// is gone.
  public var isActive: Bool { subscriber.isActive && !channel.isClosed.load(ordering: .relaxed) }

  /// How many events this subscription has lost because its mailbox was full. Always 0 without a limit.
  public var dropped: Int { subscriber.dropped }

  /// Hands the subscription to a set that then owns it.
  public func store(in set: inout Set<Subscription>) { set.insert(self) }

  /// Hands the subscription to an array, or another collection that can be appended to, which then owns it.
  public func store<Owner: RangeReplaceableCollection<Subscription>>(in owner: inout Owner) { owner.append(self) }

  /// Two tokens are equal when they are the same object.
  public static func == (one: Subscription, other: Subscription) -> Bool { one === other }

  /// Hashes the identity of the token.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
