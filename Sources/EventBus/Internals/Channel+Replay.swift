extension Channel {
  final func newest(in roster: Roster<E>) -> E? { lock.withLock { _ in roster.replay.elements.last?.event } }

  final func forgetAll() {
    let released = lock.withLock { _ in
      allRosters.map { roster in
        defer { roster.replay = Fifo() }
        return roster.replay
      }
    }
    withExtendedLifetime(released) {}
  }

  /// Forgets the events of one key, also where they would be given to subscribers without one.
  final func forget(_ key: Roster<E>) {
    let released = lock.withLock { _ in
      defer { key.replay = Fifo() }
      return (key.replay, everybody.replay.removeAll { $0.key === key })
    }
    withExtendedLifetime(released) {}
  }
}
