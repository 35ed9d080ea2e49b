extension EventBus {
  /// The newest event of a type that replays; nil when there was none, after ``forget(_:)``, or when the type does not replay.
  public func last<E: Event>(_ type: E.Type = E.self) -> E? {
    known(type).flatMap { $0.newest(in: $0.everybody)?.event(type) }
  }

  /// The newest event of one key.
  public func last<E: KeyedEvent>(_ type: E.Type = E.self, key: E.Key) -> E? {
    known(type).flatMap { $0.existingSet(for: key, of: type).flatMap($0.newest)?.event(type) }
  }

  /// Replays nothing of what was posted until now, whatever its key. What a subscription has already been promised still comes.
  ///
  /// - Returns: what is forgotten, oldest first.
  @discardableResult
  public func forget<E: Event>(_ type: E.Type) -> [E] {
    known(type)?.forgetAll().map { $0.event(type) } ?? []
  }

  /// Replays nothing of what was posted until now with one key.
  ///
  /// - Returns: what is forgotten, oldest first.
  @discardableResult
  public func forget<E: KeyedEvent>(_ type: E.Type, key: E.Key) -> [E] {
    known(type).flatMap { $0.existingSet(for: key, of: type).map($0.forget) }?.map { $0.event(type) } ?? []
  }

  private func known(_ type: any Event.Type) -> Channel? { core.channels.find(type)?.takeUnretainedValue() }
}
