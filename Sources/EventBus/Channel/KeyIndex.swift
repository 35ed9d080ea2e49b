public import Synchronization

/// The subscriber sets of a channel, by key. Threads in the channel look up sets without a lock. Changes require the
/// channel's lock.
///
/// The index is created by the first subscription with a key, or together with the channel if its type replays. Without
/// an index, keys add no cost to a post.
///
/// `Sendable` is unchecked, because the compiler cannot see that the channel's lock guards all changes.
@usableFromInline
final class KeyIndex: @unchecked Sendable {
  /// Finds the set for an event's key, or creates it if the last argument is true. The address points to an event of
  /// the channel's type. The closure is compiled where the event's type is known.
  @usableFromInline
  typealias Finder = @Sendable (KeyIndex, Channel, UnsafeRawPointer, Bool) -> Unmanaged<SubscriberSet>?

  @usableFromInline let keyType: ObjectIdentifier
  @usableFromInline let finder: Finder
  @usableFromInline let current: Atomic<Unmanaged<ProbeTable>>
  /// The number of sets in the index.
  @usableFromInline let count = Atomic<Int>(0)
  /// Incremented whenever a key is added.
  private let insertions = Atomic<Int>(0)
  // Protected by the channel's lock:
  @exclusivity(unchecked) private var table = ProbeTable(capacity: 8)
  @exclusivity(unchecked) private var used = 0

  @usableFromInline
  init(keyType: ObjectIdentifier, _ finder: @escaping Finder) {
    self.keyType = keyType
    self.finder = finder
    current = Atomic(.passUnretained(table))
  }

  deinit { table.forEach { Unmanaged<SubscriberSet>.fromOpaque($1).release() } }

  /// Returns the tag of a key, which is never 0.
  @inlinable
  static func tag<Key: Hashable>(_ key: Key) -> UInt { UInt(bitPattern: key.hashValue) | 1 << 63 }

  /// Returns whether two keys with the same tag are the same key. Keys that are not equal to themselves, such as NaN,
  /// are told apart by their hash alone. Otherwise each post would add a set that no call could find again.
  @inlinable
  static func areSame<Key: Hashable>(_ one: Key, _ other: Key) -> Bool {
    one == other || one != one && other != other
  }

  /// Returns the set for a key of type ``keyType``. The calling thread must have entered the channel.
  @inlinable
  func find<Key: Hashable & Sendable>(_ key: Key, tag: UInt) -> Unmanaged<SubscriberSet>? {
    current.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef { table in
      table.find(tag) { entry in
        Unmanaged<KeyedSubscriberSet<Key>>.fromOpaque(entry)._withUnsafeGuaranteedRef { Self.areSame($0.key, key) }
      }.map { .fromOpaque($0) }
    }
  }

  /// Returns the set for a key, and creates it if necessary. The key's own code runs outside the lock, so another
  /// thread may create the set first.
  @usableFromInline
  func findOrMake<Key: Hashable & Sendable>(_ key: Key, tag: UInt, in channel: Channel) -> Unmanaged<SubscriberSet> {
    while true {
      let version = insertions.load(ordering: .sequentiallyConsistent)
      if let found = find(key, tag: tag) { return found }
      let made = channel.locked { actions -> Unmanaged<SubscriberSet>? in
        guard insertions.load(ordering: .sequentiallyConsistent) == version else { return nil }
        let set = Unmanaged<SubscriberSet>.passRetained(KeyedSubscriberSet(key, tag: tag))
        insert(set, tag, in: channel, &actions)
        return set
      }
      if let made { return made }
    }
  }

  private func insert(
    _ set: Unmanaged<SubscriberSet>, _ tag: UInt, in channel: Channel, _ actions: inout DeferredActions
  ) {
    // The table is kept at most three quarters full, including removed sets.
    if (used + 1) * 4 > table.capacity * 3 {
      let live = count.load(ordering: .relaxed)
      var capacity = 8
      while capacity < (live + 1) * 2 { capacity *= 2 }
      let old = table
      table = old.copy(capacity: capacity)
      used = live
      current.store(.passUnretained(table), ordering: .sequentiallyConsistent)
      channel.retire(old, &actions)
    }
    if table.insert(tag, UnsafeRawPointer(set.toOpaque())) { used += 1 }
    count.wrappingAdd(1, ordering: .sequentiallyConsistent)
    insertions.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  /// Removes a set from the index if the set has a key and is unused.
  func removeIfEmpty(_ set: SubscriberSet, in channel: Channel, _ actions: inout DeferredActions) {
    guard set.tag != 0, set.isEmpty, !set.isRetired else { return }
    set.isRetired = true
    let entry = Unmanaged.passUnretained(set)
    table.remove(set.tag, UnsafeRawPointer(entry.toOpaque()))
    count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    channel.retire(set, &actions)
    entry.release()
  }

  var sets: [SubscriberSet] {
    var sets: [SubscriberSet] = []
    table.forEach { sets.append(Unmanaged<SubscriberSet>.fromOpaque($1).takeUnretainedValue()) }
    return sets
  }
}

extension Channel {
  /// Returns the index of the subscribers by key. The first call creates the index.
  @inlinable
  func index<E: KeyedEvent>(for type: E.Type) -> KeyIndex {
    let keyType = ObjectIdentifier(E.Key.self)
    let index =
      keys.load(ordering: .acquiring)?.takeUnretainedValue()
      ?? install(
        KeyIndex(keyType: keyType) { index, channel, event, createsSet in
          let key = event.assumingMemoryBound(to: E.self).pointee.key
          let tag = KeyIndex.tag(key)
          return createsSet ? index.findOrMake(key, tag: tag, in: channel) : index.find(key, tag: tag)
        })
    // Two modules may each have declared that the type conforms to `KeyedEvent`.
    if index.keyType != keyType { wrongKey(E.Key.self) }
    return index
  }

  /// Installs and returns an index, unless another thread was first. In that case, returns that thread's index.
  @usableFromInline
  func install(_ index: KeyIndex) -> KeyIndex {
    locked { _ in
      if let first = self.index { return first }
      keys.store(.passRetained(index), ordering: .sequentiallyConsistent)
      return index
    }
  }

  // The event is declared incorrectly: its two key types would need two indexes.
  @usableFromInline
  func wrongKey(_ key: Any.Type) -> Never {
    fatalError(
      "\(type) conforms to KeyedEvent with two different key types; one of them is \(key). Keep one conformance.")
  }

  @inlinable
  func set<E: KeyedEvent>(for key: E.Key, of type: E.Type) -> SubscriberSet {
    let index = index(for: type)
    return inSection { index.findOrMake(key, tag: KeyIndex.tag(key), in: self).takeUnretainedValue() }
  }

  func existingSet<E: KeyedEvent>(for key: E.Key, of type: E.Type) -> SubscriberSet? {
    let index = index(for: type)
    return inSection { index.find(key, tag: KeyIndex.tag(key))?.takeUnretainedValue() }
  }

  /// Returns the set for an event's key. If there is none, creates it or returns nil. The calling thread must be in the
  /// channel.
  @inlinable
  @inline(__always)
  func keyedSet<E: Event>(of event: E, createsSet: Bool) -> Unmanaged<SubscriberSet>? {
    guard let index = keys.load(ordering: .acquiring) else { return nil }
    return index._withUnsafeGuaranteedRef { index in
      if !createsSet, index.count.load(ordering: .acquiring) == 0 { return nil }
      return withUnsafePointer(to: event) { index.finder(index, self, UnsafeRawPointer($0), createsSet) }
    }
  }
}
