import Synchronization

/// The token of a subscription. Keep it for as long as the handler should run, because releasing it cancels the
/// subscription. The module overview explains why.
///
/// This also holds for a subscription with `once: true`: `_ = bus.subscribe(…)` cancels it at once, and a local constant
/// cancels it at the end of its scope.
public final class Subscription: Hashable, Sendable {
  private let channel: Channel
  let subscriber: Registration

  init(_ channel: Channel, _ subscriber: Registration) {
    self.channel = channel
    self.subscriber = subscriber
  }

  deinit { cancel() }

  /// Cancels the subscription and releases its handler. You can call this method from any thread, any number of times,
  /// even after the bus is released.
  ///
  /// On the subscription's serial scheduler, cancellation is final: once this method returns, no call begins, even for
  /// an event that is being delivered or already queued. For `.posting`, cancellation is also final on the posting
  /// thread. Elsewhere, a delivery that has already checked for the cancellation may still call the handler once, or be
  /// calling it. Use ``cancelAndWait()`` to wait for that call.
  ///
  /// This method does not wait, with one exception: if this thread has posted an event while an inline subscription was
  /// receiving its replay on another thread, it waits for the call with that event (rule 3 of the guarantees). So does
  /// releasing the token.
  ///
  /// If no delivery of the same type is in flight, the bus releases the handler's captures before this method returns.
  /// Otherwise the last such delivery releases them.
  public func cancel() { channel.cancel(subscriber) }

  /// Cancels the subscription, and blocks until no other thread is running the handler.
  ///
  /// Inside the handler itself, this method returns immediately. Two handlers that wait for each other deadlock, as
  /// does a handler that needs the waiting thread.
  @available(*, noasync, message: "This method blocks the thread; call cancel() instead.")
  public func cancelAndWait() {
    cancel()
    channel.waitForCalls(of: subscriber)
  }

  /// Whether the subscription still receives events. False after ``cancel()``, after the single event of a `once`
  /// subscription, and after the bus is released.
  public var isActive: Bool { subscriber.isActive && !channel.isClosed.load(ordering: .relaxed) }

  /// The number of events that this subscription lost. It loses an event if its mailbox is full, or if it is cancelled
  /// before its handler receives an event that it has accepted. Events that wait in a mailbox at the cancellation are
  /// counted when the scheduler reaches them; ``EventBus/EventBus/drain()`` waits for that.
  public var dropped: Int { subscriber.dropped }

  /// Counts and traces the loss of a waiting event.
  func discard(_ envelope: Envelope) { envelope.loss(of: subscriber).report() }

  /// Stores the subscription in a set, which then owns it.
  public func store(in set: inout Set<Subscription>) { set.insert(self) }

  /// Stores the subscription in an array or another collection, which then owns it.
  public func store<Owner: RangeReplaceableCollection<Subscription>>(in owner: inout Owner) { owner.append(self) }

  /// Two tokens are equal if they are the same object.
  public static func == (one: Subscription, other: Subscription) -> Bool { one === other }

  /// Hashes the identity of the token.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An active subscription or stream. Use it to find subscriptions that should have ended.
public struct SubscriptionInfo: Sendable {
  /// The type of the events.
  public let type: any Event.Type

  /// The key, or nil for a subscription to all events of the type.
  public let key: (any Hashable & Sendable)?

  /// The subscription's name, or nil.
  public let name: String?

  /// The value of ``TraceEvent/subscription`` for this subscription.
  public let subscription: UInt64

  /// The priority of the handler.
  public let priority: Int

  /// The number of events that the subscription lost because its mailbox was full.
  public let dropped: Int

  /// The file in which the subscription was made, in the format of `#fileID`.
  public let fileID: StaticString

  /// The line at which the subscription was made.
  public let line: UInt
}

extension SubscriptionInfo: CustomStringConvertible {
  /// The source location, the name if there is one, and the type; for example, `App/Window.swift:12: title bar: Saved`.
  public var description: String {
    "\(fileID):\(line): " + (name.map { "\($0): " } ?? "") + "\(type)" + (key.map { " with key \($0)" } ?? "")
  }
}

extension EventBus {
  /// All current subscriptions and streams with their source locations. The subscriptions are ordered by the first use
  /// of their type, then by registration. Reading this property takes time proportional to the number of subscriptions,
  /// so use it only for debugging.
  public var subscriptions: [SubscriptionInfo] {
    channels.all.flatMap { channel in
      channel.living.map { subscriber, key in
        SubscriptionInfo(
          type: channel.type, key: key, name: subscriber.name, subscription: subscriber.subscriptionID,
          priority: subscriber.priority, dropped: subscriber.dropped, fileID: subscriber.fileID, line: subscriber.line)
      }
    }
  }
}
