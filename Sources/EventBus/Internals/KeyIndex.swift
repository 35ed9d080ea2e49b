public import Synchronization

/// The subscriber sets of a channel by key. Threads in the channel look up a set without a lock. Changes require the
/// channel's lock.
///
/// The first subscription with a key creates the index, or the channel does if its type replays. Without an index,
/// keys cost a post nothing.
///
/// Unchecked, because the compiler does not see the channel's lock, which guards all changes.
@usableFromInline
final class KeyIndex: @unchecked Sendable {
  /// Finds the set of an event's key, or creates it if the last argument is true. The address is that of an event of
  /// the channel's type. Compiled
  /// where the type of the event is known.
  @usableFromInline
  typealias Finder = @Sendable (KeyIndex, Channel, UnsafeRawPointer, Bool) -> Unmanaged<SubscriberSet>?

  @usableFromInline let keyType: ObjectIdentifier
  @usableFromInline let finder: Finder
  @usableFromInline let current: Atomic<Unmanaged<ProbeTable>>
  /// The number of sets.
  @usableFromInline let count = Atomic<Int>(0)
  /// Changes whenever a key is added.
  private let insertions = Atomic<Int>(0)
  // Under the channel's lock:
  @exclusivity(unchecked) private var table = ProbeTable(capacity: 8)
  @exclusivity(unchecked) private var used = 0

  @usableFromInline
  init(keyType: ObjectIdentifier, _ finder: @escaping Finder) {
    self.keyType = keyType
    self.finder = finder
    current = Atomic(.passUnretained(table))
  }

  deinit { table.forEach { Unmanaged<SubscriberSet>.fromOpaque($1).release() } }

  /// Never 0.
  @inlinable
  static func tag<Key: Hashable>(_ key: Key) -> UInt { UInt(bitPattern: key.hashValue) | 1 << 63 }

  /// The set of a key, for a thread that is in the channel. The key is of ``keyType``.
  @inlinable
  func find<Key: Hashable & Sendable>(_ key: Key, tag: UInt) -> Unmanaged<SubscriberSet>? {
    current.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef { table in
      table.find(tag) { entry in
        Unmanaged<KeyedSubscriberSet<Key>>.fromOpaque(entry)._withUnsafeGuaranteedRef { $0.key == key }
      }.map { .fromOpaque($0) }
    }
  }

  /// The set of a key, created if necessary. Code of the key runs outside the lock, so another thread may create it
  /// first.
  @usableFromInline
  func findOrMake<Key: Hashable & Sendable>(_ key: Key, tag: UInt, in channel: Channel) -> Unmanaged<SubscriberSet> {
    while true {
      let version = insertions.load(ordering: .sequentiallyConsistent)
      if let found = find(key, tag: tag) { return found }
      let made = channel.locked { effects -> Unmanaged<SubscriberSet>? in
        guard insertions.load(ordering: .sequentiallyConsistent) == version else { return nil }
        let set = Unmanaged<SubscriberSet>.passRetained(KeyedSubscriberSet(key, tag: tag))
        insert(set, tag, in: channel, &effects)
        return set
      }
      if let made { return made }
    }
  }

  private func insert(
    _ set: Unmanaged<SubscriberSet>, _ tag: UInt, in channel: Channel, _ effects: inout Effects
  ) {
    // At most three quarters full, including removed sets.
    if (used + 1) * 4 > table.capacity * 3 {
      let live = count.load(ordering: .relaxed)
      var capacity = 8
      while capacity < (live + 1) * 2 { capacity *= 2 }
      let old = table
      table = old.copy(capacity: capacity)
      used = live
      current.store(.passUnretained(table), ordering: .sequentiallyConsistent)
      channel.retire(old, &effects)
    }
    if table.insert(tag, UnsafeRawPointer(set.toOpaque())) { used += 1 }
    count.wrappingAdd(1, ordering: .sequentiallyConsistent)
    insertions.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  /// Removes an unused set, if it is one of these.
  func removeIfEmpty(_ set: SubscriberSet, in channel: Channel, _ effects: inout Effects) {
    guard set.tag != 0, set.isEmpty, !set.isRetired else { return }
    set.isRetired = true
    let entry = Unmanaged.passUnretained(set)
    table.remove(set.tag, UnsafeRawPointer(entry.toOpaque()))
    count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    channel.retire(set, &effects)
    entry.release()
  }

  var sets: [SubscriberSet] {
    var sets: [SubscriberSet] = []
    table.forEach { sets.append(Unmanaged<SubscriberSet>.fromOpaque($1).takeUnretainedValue()) }
    return sets
  }
}
