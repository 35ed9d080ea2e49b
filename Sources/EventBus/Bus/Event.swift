/// Something that happened. The type is the topic: who subscribes to a type gets every posted value of exactly that type.
///
/// Any sendable type may conform; there is nothing to implement.
///
/// ```swift
/// struct Saved: Event { let file: String }
/// ```
public protocol Event: Sendable {
  /// Not for callers: how the bus learns whether events of this type carry a key, also behind a generic or `any Event`.
  static func _makeChannel(for bus: EventBus) -> any AnyObject & Sendable
}

/// An event about one of many things, such as one image among a thousand.
///
/// Subscribing with a key delivers the events of that key only, and costs nothing for the others.
public protocol KeyedEvent: Event {
  /// What the event is told apart by.
  associatedtype Key: Hashable & Sendable

  /// The thing that this event is about. Read once for each post, on the poster's thread; must not post.
  var key: Key { get }
}

extension Event {
  /// Makes the channel of an event without a key.
  public static func _makeChannel(for bus: EventBus) -> any AnyObject & Sendable { Channel<Self>(bus.core) }
}

extension KeyedEvent {
  /// Makes the channel of an event with a key.
  public static func _makeChannel(for bus: EventBus) -> any AnyObject & Sendable { KeyedChannel<Self>(bus.core) }
}
