/// The right to be called. Keep it as long as you want to be called: dropping it cancels.
public final class Subscription: Hashable, Sendable {
  private let subscriber: any AnySubscriber

  init(_ subscriber: any AnySubscriber) { self.subscriber = subscriber }

  deinit { subscriber.cancel() }

  /// Ends the subscription and lets go of the handler. Any thread; idempotent; harmless when the bus is gone.
  ///
  /// Called on the subscription's serial scheduler, or on the posting thread for `.posting`, it is final: no call begins
  /// after it returns, neither for the rest of the event being delivered nor for events already queued. Called elsewhere, a
  /// call that had already begun may still be running.
  public func cancel() { subscriber.cancel() }

  /// Whether events are still delivered: false after ``cancel()``, and once a weak owner was found to be gone.
  public var isActive: Bool { subscriber.isActive }

  /// Hands the subscription to a set that then owns it.
  public func store(in set: inout Set<Subscription>) { set.insert(self) }

  /// Two tokens are equal when they are the same object.
  public static func == (one: Subscription, other: Subscription) -> Bool { one === other }

  /// Hashes the identity of the token.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
