/// Something that happened. The type is the topic: subscribers of a type get every posted value of exactly that type.
///
/// Any sendable type may conform; there is nothing to implement.
///
/// ```swift
/// struct Saved: Event { let file: String }
/// ```
public protocol Event: Sendable {
  /// How many of the newest events a late subscriber is given first: 0 unless the type says otherwise, 1 for a sticky event.
  ///
  /// Read once for each bus; must not change. A type that replays takes a short lock on each post.
  static var replay: Int { get }
}

/// An event about one of many things, such as one image among a thousand.
///
/// Subscribing with a key delivers the events of that key only, and costs nothing for the others. A type may conform in an
/// extension, also under a condition and in another module. It must do so once: two conformances with different keys end the
/// process with a message.
public protocol KeyedEvent: Event {
  /// Identifies the event's subject. Hashing and comparing run on threads that post and subscribe, and must not use the bus.
  associatedtype Key: Hashable & Sendable

  /// The thing that this event is about. Read on the poster's thread; must not post.
  var key: Key { get }
}

extension Event {
  /// Nothing is replayed.
  @inlinable public static var replay: Int { 0 }
}
