extension EventBus {
  /// The newest event of a type that replays; nil when there was none, after ``forget(_:)``, or when the type does not replay.
  public func last<E: Event>(_ type: E.Type = E.self) -> E? {
    guard let channel = core.channels.find(type)?.takeUnretainedValue() else { return nil }
    return channel.newest(in: channel.everybody).map { opened($0) }
  }

  /// The newest event of one key.
  public func last<E: KeyedEvent>(_ type: E.Type = E.self, key: E.Key) -> E? {
    guard core.channels.find(type) != nil else { return nil }
    let channel = keyedChannel(for: type)
    return channel.existingRoster(for: key).flatMap { channel.newest(in: $0) }.map { opened($0) }
  }

  /// Replays nothing of what was posted until now, whatever its key. What a subscription has already been promised still comes.
  public func forget<E: Event>(_ type: E.Type) {
    core.channels.find(type)?.takeUnretainedValue().forgetAll()
  }

  /// Replays nothing of what was posted until now with one key.
  public func forget<E: KeyedEvent>(_ type: E.Type, key: E.Key) {
    guard core.channels.find(type) != nil else { return }
    let channel = keyedChannel(for: type)
    if let roster = channel.existingRoster(for: key) { channel.forget(roster) }
  }

  private func opened<E: Event>(_ envelope: Envelope) -> E {
    unsafeDowncast(envelope, to: TypedEnvelope<E>.self).event
  }
}
