/// One step of a bus, for tools that record or display the bus's activity.
public struct TraceEvent: Sendable {
  /// The kinds of steps.
  public enum Kind: Sendable {
    /// An event was posted. This step is reported before the event is delivered.
    case posted
    /// The post has finished, and subscribers have accepted its event: their handlers ran or will run.
    case accepted
    /// The post has finished, and no subscriber accepted its event.
    case unhandled
    /// A handler is about to run with an event. With `once`, if another thread's event arrived first, the handler does
    /// not run, and `cancelled` follows.
    case delivering
    /// A handler ran with an event and returned.
    case delivered
    /// A handler threw an error while it handled an event.
    case failed
    /// A mailbox was full, and a subscription lost one event.
    case dropped
    /// A subscription lost an event that it had accepted, because it was cancelled or its stream was released first.
    /// The step follows `cancelled`. For a delayed post, the bus was released before the post was due.
    case discarded
    /// A subscription started. This step is reported before the subscription can receive an event.
    case subscribed
    /// A subscription ended because its token cancelled it, or after the single event of a `once` subscription.
    case cancelled
  }

  /// The kind of the step.
  public let kind: Kind

  /// The time on the clock of the bus's runtime.
  public let time: Duration

  /// The thread that performed the step, as a number that is unique among running threads.
  public let thread: UInt64

  /// The type of the event, or of the subscription's events.
  public let type: any Event.Type

  /// The event, or nil for `subscribed`, `cancelled` and `dropped`.
  public let event: (any Event)?

  /// The key of the subscription. Nil for a subscription without a key and for a post.
  let subscriptionKey: (any Hashable & Sendable)?

  /// The identity of the subscription, which stays the same from `subscribed` to `cancelled`. Nil for a post.
  public let subscription: UInt64?

  /// The name of the subscription. Nil for a subscription without a name and for a post.
  public let name: String?

  /// The file of the post or of the subscription, in the format of `#fileID`.
  public let fileID: StaticString

  /// The line of the post or of the subscription.
  public let line: UInt

  /// The key of the event, or of the subscription if there is no event. Nil if there is no key.
  public var key: (any Hashable & Sendable)? {
    if let event { return (event as? any KeyedEvent).map { $0.key } }
    return subscriptionKey
  }
}
