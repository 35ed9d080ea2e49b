/// An error that a handler threw, with the event and the source location of the subscription.
public struct HandlerFailure: Sendable {
  /// The error that the handler threw.
  public let error: any Error

  /// The event that the handler received.
  public let event: any Event

  /// The file in which the subscription was made, in the format of `#fileID`.
  public let fileID: StaticString

  /// The line at which the subscription was made.
  public let line: UInt
}
