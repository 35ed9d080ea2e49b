/// One step of a bus, for tools that show what happened.
public struct TraceEvent: Sendable {
  /// What happened.
  public enum Kind: Sendable {
    /// An event was posted; reported before it is delivered.
    case posted
    /// The post has ended, and subscribers have accepted its event: they were called, or will be.
    case accepted
    /// The post has ended, and no subscriber accepted its event.
    case unhandled
    /// A handler is about to be called with an event. With `once`, if another thread's event was first, it is
    /// not called, and `cancelled` follows.
    case delivering
    /// A handler was given an event, and has returned.
    case delivered
    /// A handler was given an event, and has thrown.
    case failed
    /// A mailbox was full, and a subscription lost one event.
    case dropped
    /// A subscription begins; reported before it can be given an event.
    case subscribed
    /// A subscription ended, by its token, or after the only event of `once`.
    case cancelled
  }

  /// What happened.
  public let kind: Kind

  /// When, by the clock of the bus's runtime.
  public let time: Duration

  /// On which thread: a number that no other living thread has.
  public let thread: UInt64

  /// The type of the events.
  public let type: any Event.Type

  /// The event; nil for `subscribed`, `cancelled` and `dropped`.
  public let event: (any Event)?

  /// The key of the subscription; nil for one without a key, and for a post.
  let subscriptionKey: (any Hashable & Sendable)?

  /// Stands for the subscription, the same from `subscribed` to `cancelled`; nil for a post.
  public let subscription: UInt64?

  /// The name that the subscription was given; nil for none, and for a post.
  public let name: String?

  /// The file of the post or of the subscription, as `#fileID` gives it.
  public let fileID: StaticString

  /// The line of the post or of the subscription.
  public let line: UInt

  /// The key of the event, or of the subscription if there is no event; nil for none.
  public var key: (any Hashable & Sendable)? {
    if let event { return (event as? any KeyedEvent).map { $0.key } }
    return subscriptionKey
  }
}
