/// Something that happened. The type is the topic: subscribers to a type receive every posted value of exactly that
/// type.
///
/// Any sendable type can conform; there is nothing to implement.
///
/// ```swift
/// struct Saved: Event { let file: String }
/// ```
public protocol Event: Sendable {
  /// The number of most recent events that a late subscriber receives first. The default is 0; a sticky event uses 1.
  ///
  /// A bus reads this property until the type has its first subscriber or replayed event, so its value must not change.
  /// If a type replays, each of its posts briefly takes a lock.
  static var replay: Int { get }
}

/// An event about one of many subjects, such as one image among a thousand.
///
/// A subscription with a key receives only the events with that key, and other events cost it nothing. A type can
/// conform in an extension, even conditionally or in another module. A type must conform only once: two conformances
/// with different key types terminate the process with a message.
public protocol KeyedEvent: Event {
  /// The type of the subject's identity. Keys are hashed and compared on posting and subscribing threads. The code that
  /// hashes and compares keys must not use the bus.
  associatedtype Key: Hashable & Sendable

  /// The subject of this event. The getter runs on the posting thread and must not post.
  var key: Key { get }
}

extension Event {
  /// The default value, which disables replay.
  @inlinable public static var replay: Int { 0 }
}

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
