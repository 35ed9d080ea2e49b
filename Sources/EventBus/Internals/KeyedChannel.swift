/// The channel of an event with a key: a table beside the roster of those who hear of every key.
///
/// Unchecked for the same reason as its superclass.
@usableFromInline
final class KeyedChannel<E: KeyedEvent>: Channel<E>, @unchecked Sendable {
  @usableFromInline let keys = KeyTable<E>()

  /// The roster of a key, while the thread is in the channel.
  @inlinable
  func find(_ key: E.Key) -> Unmanaged<Roster<E>>? { keys.find(key, hash: KeyTable<E>.hash(key)) }

  override func makeKeyRoster(of event: E) -> Roster<E>? { roster(for: event.key) }

  /// The roster of a key, made if there is none. Code of the key runs outside the lock, so another may be quicker.
  func roster(for key: E.Key) -> Roster<E> {
    let hash = KeyTable<E>.hash(key)
    while true {
      let (found, version) = inSection {
        let version = keys.version
        return (keys.find(key, hash: hash)?.takeUnretainedValue(), version)
      }
      if let found { return found }
      var released: [AnyObject] = []
      defer { withExtendedLifetime(released) {} }
      let made: Roster<E>? = lock.withLock { _ in
        guard keys.version == version else { return nil }
        let roster = Roster<E>()
        released = retire(keys.insert(key, hash: hash, roster))
        return roster
      }
      if let made { return made }
    }
  }

  func existingRoster(for key: E.Key) -> Roster<E>? { inSection { find(key)?.takeUnretainedValue() } }

  override var allRosters: [Roster<E>] { super.allRosters + keys.rosters }
}
