/// One step of a bus, for tools that show what happened.
public struct TraceEvent: Sendable {
  /// What happened.
  public enum Kind: Sendable {
    /// An event was posted; reported before it is delivered.
    case posted
    /// No subscriber accepted a posted event.
    case unhandled
    /// A handler was given an event, and has returned.
    case delivered
    /// A handler was given an event, and has thrown.
    case failed
    /// A mailbox was full, and a subscription lost one event.
    case dropped
    /// A subscription began.
    case subscribed
    /// A subscription ended, by its token or with its owner.
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

  /// Stands for the subscription, the same from `subscribed` to `cancelled`; nil for a post.
  public let subscription: UInt64?

  /// The file of the post or of the subscription, as `#fileID` gives it.
  public let fileID: StaticString

  /// The line of the post or of the subscription.
  public let line: UInt
}
