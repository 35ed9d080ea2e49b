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

/// A living subscription, or a stream, for finding those that should have ended.
public struct SubscriptionInfo: Sendable {
  /// The type of the events.
  public let type: any Event.Type

  /// The key; nil for a subscription to all events of the type.
  public let key: (any Hashable & Sendable)?

  /// The name that it was given; nil for none.
  public let name: String?

  /// Identifies the subscription in ``TraceEvent/subscription``.
  public let subscription: UInt64

  /// The priority.
  public let priority: Int

  /// How many events it has lost because its mailbox was full.
  public let dropped: Int

  /// The file of the subscription, as `#fileID` gives it.
  public let fileID: StaticString

  /// The line of the subscription.
  public let line: UInt
}

extension SubscriptionInfo: CustomStringConvertible {
  /// The place, the name if there is one, and what is subscribed to, such as `App/Window.swift:12: title bar: Saved`.
  public var description: String {
    "\(fileID):\(line): " + (name.map { "\($0): " } ?? "") + "\(type)" + (key.map { " with key \($0)" } ?? "")
  }
}

extension EventBus {
  /// All subscriptions and streams that are registered now, with the source location where each was made: by type in the order
  /// in which the types were first used, and by registration. Takes time for each of them; for debugging.
  public var subscriptions: [SubscriptionInfo] {
    core.channels.all.flatMap { channel in
      channel.living.map { subscriber, key in
        SubscriptionInfo(
          type: channel.type, key: key, name: subscriber.name, subscription: subscriber.subscriptionID,
          priority: subscriber.priority, dropped: subscriber.dropped, fileID: subscriber.fileID, line: subscriber.line)
      }
    }
  }
}
