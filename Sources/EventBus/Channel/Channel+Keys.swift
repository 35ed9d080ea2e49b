public import Synchronization

extension Channel {
  /// Returns the index of the subscribers by key. The first call creates the index.
  @inlinable
  func index<E: KeyedEvent>(for type: E.Type) -> KeyIndex {
    let keyType = ObjectIdentifier(E.Key.self)
    let index =
      keys.load(ordering: .acquiring)?.takeUnretainedValue()
      ?? install(
        KeyIndex(keyType: keyType) { index, channel, event, isMade in
          let key = event.assumingMemoryBound(to: E.self).pointee.key
          let tag = KeyIndex.tag(key)
          return isMade ? index.findOrMake(key, tag: tag, in: channel) : index.find(key, tag: tag)
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

  /// Returns the set for an event's key, or nil if the key has no subscribers. The calling thread must be in the
  /// channel.
  @inlinable
  @inline(__always)
  func set<E: Event>(of event: E, isMade: Bool) -> Unmanaged<SubscriberSet>? {
    guard let index = keys.load(ordering: .acquiring) else { return nil }
    return index._withUnsafeGuaranteedRef { index in
      if !isMade, index.count.load(ordering: .acquiring) == 0 { return nil }
      return withUnsafePointer(to: event) { index.finder(index, self, UnsafeRawPointer($0), isMade) }
    }
  }
}
