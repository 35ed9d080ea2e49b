extension EventBus {
  /// Calls `handler` for every event of a type.
  ///
  /// - Parameters:
  ///   - type: the type of the events.
  ///   - delivery: where the handler is called.
  ///   - priority: higher is called earlier; equal ones in the order of registration.
  ///   - fileID: reported with a failure of the handler.
  ///   - line: reported with a failure of the handler.
  ///   - handler: never called beside itself, except by `.posting` when several threads post.
  /// - Returns: the subscription. Dropping it cancels.
  public func subscribe<E: Event>(
    to type: E.Type = E.self, on delivery: Delivery = .posting, priority: Int = 0,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (E) throws -> Void
  ) -> Subscription {
    let channel = channel(for: type)
    let subscriber = Subscriber(
      channel, lane: core.lane(for: delivery), priority: priority, fileID: fileID, line: line, handler)
    channel.add(subscriber)
    return Subscription(subscriber)
  }

  /// Calls `handler` for the events of one key. The other keys' events cost this subscription nothing.
  public func subscribe<E: KeyedEvent>(
    to type: E.Type = E.self, key: E.Key, on delivery: Delivery = .posting, priority: Int = 0,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (E) throws -> Void
  ) -> Subscription {
    let channel = keyedChannel(for: type)
    let subscriber = Subscriber(
      channel, lane: core.lane(for: delivery), priority: priority, key: key, fileID: fileID, line: line, handler)
    channel.add(subscriber, under: key)
    return Subscription(subscriber)
  }

  /// Calls `handler` with an owner that the bus holds weakly: the subscription ends with the owner.
  public func subscribe<Owner: AnyObject & Sendable, E: Event>(
    _ owner: Owner, to type: E.Type = E.self, on delivery: Delivery = .posting, priority: Int = 0,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Owner, E) throws -> Void
  ) -> Subscription {
    subscribe(
      to: type, on: delivery, priority: priority, fileID: fileID, line: line, weakly(owner, handler))
  }

  /// Calls `handler` with an owner that the bus holds weakly, for the events of one key.
  public func subscribe<Owner: AnyObject & Sendable, E: KeyedEvent>(
    _ owner: Owner, to type: E.Type = E.self, key: E.Key, on delivery: Delivery = .posting, priority: Int = 0,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Owner, E) throws -> Void
  ) -> Subscription {
    subscribe(
      to: type, key: key, on: delivery, priority: priority, fileID: fileID, line: line, weakly(owner, handler))
  }
}

private func weakly<Owner: AnyObject & Sendable, E: Event>(
  _ owner: Owner, _ handler: @escaping @Sendable (Owner, E) throws -> Void
) -> @Sendable (E) throws -> Void {
  { [weak owner] event in
    guard let owner else { throw OwnerIsGone() }
    try handler(owner, event)
  }
}

/// Thrown by the bus's own wrapper, to end a subscription whose owner died. Never seen outside.
struct OwnerIsGone: Error {}
