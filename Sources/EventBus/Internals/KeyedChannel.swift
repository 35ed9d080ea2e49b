/// The channel of an event with a key: a table beside the roster of those who hear of every key.
///
/// Unchecked for the same reason as its superclass.
@usableFromInline
final class KeyedChannel<Key: Hashable & Sendable>: Channel, @unchecked Sendable {
  @usableFromInline let keys = KeyTable<Key>()

  /// The roster of a key, while the thread is in the channel.
  @inlinable
  func find(_ key: Key) -> Unmanaged<Roster>? { keys.find(key, hash: KeyTable<Key>.hash(key)) }

  /// The roster of a key, made if there is none. Code of the key runs outside the lock, so another may be quicker.
  @usableFromInline
  func roster(for key: Key) -> Roster {
    let hash = KeyTable<Key>.hash(key)
    while true {
      let (found, version) = inSection {
        let version = keys.version
        return (keys.find(key, hash: hash)?.takeUnretainedValue(), version)
      }
      if let found { return found }
      var released = Released()
      defer { withExtendedLifetime(released) {} }
      let made: Roster? = lock.withLock { _ in
        guard keys.version == version else { return nil }
        let roster = Roster()
        released.list = keys.insert(key, hash: hash, roster)
        retire(&released)
        return roster
      }
      if let made { return made }
    }
  }

  @usableFromInline
  func existingRoster(for key: Key) -> Roster? { inSection { find(key)?.takeUnretainedValue() } }

  override var allRosters: [Roster] { super.allRosters + keys.rosters }
}
