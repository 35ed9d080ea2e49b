/// A handler that threw: what, on which event, and where it was subscribed.
public struct HandlerFailure: Sendable {
  /// What the handler threw.
  public let error: any Error

  /// The event that it was given.
  public let event: any Event

  /// The file of the subscription, as `#fileID` gives it.
  public let fileID: StaticString

  /// The line of the subscription.
  public let line: UInt
}
