extension EventBus {
  /// Calls `handler` for every event of a type.
  ///
  /// - Parameters:
  ///   - type: the type of the events.
  ///   - delivery: where the handler is called.
  ///   - priority: higher is called earlier; equal ones in the order of registration.
  ///   - overflow: what happens when more events wait than the subscription wants. Not with `.posting`, which has no mailbox: a
  ///     limit there is a precondition failure, as is one below 1.
  ///   - fileID: reported with a failure of the handler, and to the trace.
  ///   - line: reported with a failure of the handler, and to the trace.
  ///   - handler: never called beside itself, except by `.posting` when several threads post.
  /// - Returns: the subscription. Dropping it cancels.
  @inlinable
  public func subscribe<E: Event>(
    to type: E.Type = E.self, on delivery: Delivery = .posting, priority: Int = 0, overflow: Overflow = .unbounded,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (E) throws -> Void
  ) -> Subscription {
    let channel = channel(for: type)
    return register(
      channel, { channel.everybody }, Handler(handler), delivery, priority, overflow, fileID: fileID, line: line)
  }

  /// Calls `handler` for the events of one key. The other keys' events cost this subscription nothing.
  ///
  /// The other parameters and the result are as in ``subscribe(to:on:priority:overflow:fileID:line:_:)``.
  @inlinable
  public func subscribe<E: KeyedEvent>(
    to type: E.Type = E.self, key: E.Key, on delivery: Delivery = .posting, priority: Int = 0,
    overflow: Overflow = .unbounded, fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (E) throws -> Void
  ) -> Subscription {
    let channel = keyedChannel(for: type)
    return register(
      channel, { channel.roster(for: key) }, Handler(handler), delivery, priority, overflow, fileID: fileID, line: line)
  }

  /// Calls `handler` with an owner that the bus holds weakly: the subscription ends with the owner.
  ///
  /// The other parameters and the result are as in ``subscribe(to:on:priority:overflow:fileID:line:_:)``. The owner stays alive
  /// while the handler runs, so it may be released on that thread.
  @inlinable
  public func subscribe<Owner: AnyObject & Sendable, E: Event>(
    _ owner: Owner, to type: E.Type = E.self, on delivery: Delivery = .posting, priority: Int = 0,
    overflow: Overflow = .unbounded, fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Owner, E) throws -> Void
  ) -> Subscription {
    subscribe(
      to: type, on: delivery, priority: priority, overflow: overflow, fileID: fileID, line: line,
      weakly(owner, handler))
  }

  /// Calls `handler` with an owner that the bus holds weakly, for the events of one key.
  ///
  /// The other parameters and the result are as in ``subscribe(to:on:priority:overflow:fileID:line:_:)``.
  @inlinable
  public func subscribe<Owner: AnyObject & Sendable, E: KeyedEvent>(
    _ owner: Owner, to type: E.Type = E.self, key: E.Key, on delivery: Delivery = .posting, priority: Int = 0,
    overflow: Overflow = .unbounded, fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Owner, E) throws -> Void
  ) -> Subscription {
    subscribe(
      to: type, key: key, on: delivery, priority: priority, overflow: overflow, fileID: fileID, line: line,
      weakly(owner, handler))
  }

  /// `roster` is asked again if the one it gave has been retired meanwhile.
  @usableFromInline
  func register(
    _ channel: Channel, _ roster: () -> Roster, _ handler: AnyObject, _ delivery: Delivery, _ priority: Int,
    _ overflow: Overflow, fileID: StaticString, line: UInt
  ) -> Subscription {
    let lane = core.lane(for: delivery)
    overflow.check(for: lane)
    while true {
      let roster = roster()
      let subscriber = Subscriber(
        channel, roster, .passRetained(handler), lane: lane, stream: nil, bound: LaneBound(overflow),
        priority: priority, fileID: fileID, line: line)
      if withExtendedLifetime(roster, { channel.add(subscriber) }) { return Subscription(channel, subscriber) }
      subscriber.abandon()
    }
  }
}

@usableFromInline
func weakly<Owner: AnyObject & Sendable, E: Event>(
  _ owner: Owner, _ handler: @escaping @Sendable (Owner, E) throws -> Void
) -> @Sendable (E) throws -> Void {
  { [weak owner] event in
    guard let owner else { throw OwnerIsGone.error }
    try handler(owner, event)
  }
}

/// Thrown by the bus's own wrapper, to end a subscription whose owner died. Never seen outside.
struct OwnerIsGone: Error {
  /// Always the same one: there may be millions, and tools that note each error thrown would keep them all.
  static let error: any Error = OwnerIsGone()
}
