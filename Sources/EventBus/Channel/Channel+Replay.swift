extension Channel {
  func newest(in set: SubscriberSet) -> Envelope? { locked { _ in set.replay.last } }

  /// Stores an event for replay. Requires the lock.
  func keepForReplay(_ envelope: Envelope, _ key: SubscriberSet?, _ actions: inout DeferredActions) {
    kept += 1
    envelope.sequence = kept
    keep(envelope, in: everybody, &actions)
    if let key { keep(envelope, in: key, &actions) }
  }

  private func keep(_ envelope: Envelope, in set: SubscriberSet, _ actions: inout DeferredActions) {
    set.replay.append(envelope)
    if set.replay.count > replay, let oldest = set.replay.popFirst() { actions.release(oldest) }
  }

  /// Removes all replayed events and returns them, oldest first.
  func forgetAll() -> [Envelope] {
    locked { actions in
      var forgotten: [ObjectIdentifier: Envelope] = [:]
      for set in sets {
        for envelope in set.replay.elements { forgotten[ObjectIdentifier(envelope)] = envelope }
        set.replay = RingBuffer()
        index?.removeIfEmpty(set, in: self, &actions)
      }
      return forgotten.values.sorted { $0.sequence < $1.sequence }
    }
  }

  /// Removes the events of one key, including from the replay for subscribers without a key.
  func forget(_ key: SubscriberSet) -> [Envelope] {
    locked { actions in
      let older = everybody.replay.removeAll { $0.key === key }
      let forgotten = key.replay.elements
      actions.release(older)
      key.replay = RingBuffer()
      index?.removeIfEmpty(key, in: self, &actions)
      return forgotten
    }
  }
}
