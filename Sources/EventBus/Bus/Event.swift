/// Something that happened. The type is the topic: who subscribes to a type gets every posted value of exactly that type.
///
/// Any sendable type may conform; there is nothing to implement.
///
/// ```swift
/// struct Saved: Event { let file: String }
/// ```
public protocol Event: Sendable {
  /// How many of the newest events a late subscriber is given first: 0 unless the type says otherwise, 1 for a sticky event.
  ///
  /// Read once for each post; must not change. A type that replays takes a short lock on each post.
  static var replay: Int { get }

  /// Not for callers: how the bus learns whether events of this type carry a key, also behind a generic or `any Event`.
  static func _makeChannel(for bus: EventBus) -> any AnyObject & Sendable

  /// Not for callers: finds those who subscribed to the key of an event, in the channel of its type.
  static func _roster(of event: Self, in channel: UnsafeRawPointer) -> UnsafeRawPointer?

  /// Not for callers: the same, to be kept, and made if the type replays.
  static func _retainedRoster(of event: Self, in channel: UnsafeRawPointer) -> AnyObject?
}

/// An event about one of many things, such as one image among a thousand.
///
/// Subscribing with a key delivers the events of that key only, and costs nothing for the others.
public protocol KeyedEvent: Event {
  /// What the event is told apart by. Hashing and comparing run on threads that post and subscribe, and must not use the bus.
  associatedtype Key: Hashable & Sendable

  /// The thing that this event is about. Read on the poster's thread; must not post.
  var key: Key { get }
}

extension Event {
  /// Nothing is replayed.
  @inlinable public static var replay: Int { 0 }

  /// Makes the channel of an event without a key.
  public static func _makeChannel(for bus: EventBus) -> any AnyObject & Sendable { Channel(bus.core, Self.self) }

  /// There are no keys.
  @inlinable
  public static func _roster(of event: Self, in channel: UnsafeRawPointer) -> UnsafeRawPointer? { nil }

  /// There are no keys.
  @inlinable
  public static func _retainedRoster(of event: Self, in channel: UnsafeRawPointer) -> AnyObject? { nil }
}

extension KeyedEvent {
  /// Makes the channel of an event with a key.
  public static func _makeChannel(for bus: EventBus) -> any AnyObject & Sendable {
    KeyedChannel<Key>(bus.core, Self.self)
  }

  /// Finds the roster of the event's key.
  @inlinable
  public static func _roster(of event: Self, in channel: UnsafeRawPointer) -> UnsafeRawPointer? {
    Unmanaged<KeyedChannel<Key>>.fromOpaque(channel)._withUnsafeGuaranteedRef { channel in
      channel.find(event.key).map { UnsafeRawPointer($0.toOpaque()) }
    }
  }

  /// Finds the roster of the event's key, or makes it.
  @inlinable
  public static func _retainedRoster(of event: Self, in channel: UnsafeRawPointer) -> AnyObject? {
    Unmanaged<KeyedChannel<Key>>.fromOpaque(channel)._withUnsafeGuaranteedRef { channel in
      replay > 0 ? channel.roster(for: event.key) : channel.existingRoster(for: event.key)
    }
  }
}
