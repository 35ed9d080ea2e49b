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
