extension EventBus {
  /// The newest event of a type that replays; nil when there was none, after ``forget(_:)``, or when the type does not replay.
  public func last<E: Event>(_ type: E.Type = E.self) -> E? {
    guard let channel = core.channels.find(type)?.takeUnretainedValue() else { return nil }
    return channel.newest(in: channel.everybody).map { opened($0) }
  }

  /// The newest event of one key.
  public func last<E: KeyedEvent>(_ type: E.Type = E.self, key: E.Key) -> E? {
    guard let channel = core.channels.find(type)?.takeUnretainedValue() else { return nil }
    return channel.existingSet(for: key, of: type).flatMap { channel.newest(in: $0) }.map { opened($0) }
  }

  /// Replays nothing of what was posted until now, whatever its key. What a subscription has already been promised still comes.
  ///
  /// - Returns: what is forgotten, oldest first.
  @discardableResult
  public func forget<E: Event>(_ type: E.Type) -> [E] {
    core.channels.find(type)?.takeUnretainedValue().forgetAll().map { opened($0) } ?? []
  }

  /// Replays nothing of what was posted until now with one key.
  ///
  /// - Returns: what is forgotten, oldest first.
  @discardableResult
  public func forget<E: KeyedEvent>(_ type: E.Type, key: E.Key) -> [E] {
    guard let channel = core.channels.find(type)?.takeUnretainedValue() else { return [] }
    return channel.existingSet(for: key, of: type).map { channel.forget($0).map { opened($0) } } ?? []
  }

  private func opened<E: Event>(_ envelope: Envelope) -> E {
    envelope.event(E.self)
  }
}
