/// Something that happened. The type is the topic: subscribers of a type get every posted value of exactly that type.
///
/// Any sendable type may conform; there is nothing to implement.
///
/// ```swift
/// struct Saved: Event { let file: String }
/// ```
public protocol Event: Sendable {
  /// The number of newest events that a late subscriber receives first. The default is 0; a sticky event has 1.
  ///
  /// Each bus reads it once, and it must not change. A type that replays takes a short lock on each post.
  static var replay: Int { get }
}

/// An event about one of many subjects, such as one image among a thousand.
///
/// A subscription with a key receives only the events of that key, and the others cost it nothing. A type may conform
/// in an extension, also
/// conditionally and in another module. It must conform once: two conformances with different keys end the process
/// with a message.
public protocol KeyedEvent: Event {
  /// The type of the subject's identity. Hashing and comparing run on posting and subscribing threads, and must not
  /// use the bus.
  associatedtype Key: Hashable & Sendable

  /// The subject of this event. Read on the posting thread; must not post.
  var key: Key { get }
}

extension Event {
  /// The default: no replay.
  @inlinable public static var replay: Int { 0 }
}
