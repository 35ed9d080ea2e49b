extension EventBus {
  /// Calls `handler` on main for every event of a type. It may be isolated to the main actor, and is where this is called there.
  ///
  /// The parameters and the result are as in ``subscribe(to:on:priority:overflow:once:name:fileID:line:_:)-6d8tv``. An isolated handler
  /// runs on the main scheduler of the bus's runtime, which stands for the main actor: ``Runtime/assumeMainActor(function:_:)``. A
  /// handler that is isolated to another actor ends the process with a message: inside an actor, a closure that captures `self` is.
  /// There, read a stream, or deliver on `Delivery.main` to a handler that is not isolated.
  @inlinable
  public func subscribe<E: Event>(
    to type: E.Type = E.self, on delivery: MainDelivery, priority: Int = 0, overflow: Overflow = .unbounded,
    once: Bool = false, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (E) throws -> Void
  ) -> Subscription {
    subscribe(
      to: type, on: Delivery.main, priority: priority, overflow: overflow, once: once, name: name, fileID: fileID,
      line: line,
      onMain(core.runtime, handler))
  }

  /// Calls `handler` on main for the events of one key. It may be isolated to the main actor.
  ///
  /// The parameters and the result are as in ``subscribe(to:on:priority:overflow:once:name:fileID:line:_:)-6d8tv``.
  @inlinable
  public func subscribe<E: KeyedEvent>(
    to type: E.Type = E.self, key: E.Key, on delivery: MainDelivery, priority: Int = 0,
    overflow: Overflow = .unbounded, once: Bool = false, name: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (E) throws -> Void
  ) -> Subscription {
    subscribe(
      to: type, key: key, on: Delivery.main, priority: priority, overflow: overflow, once: once, name: name,
      fileID: fileID,
      line: line, onMain(core.runtime, handler))
  }
}

/// Makes an isolated handler callable without a hop. Each call verifies that it runs on the main scheduler of the runtime.
@inlinable
func onMain<E: Event>(
  _ runtime: any Runtime, _ handler: @escaping @isolated(any) @Sendable (E) throws -> Void
) -> @Sendable (E) throws -> Void {
  let isIsolated = isolatedToMain(handler.isolation)
  // The cast only drops the isolation, which each call verifies: a function of either type is called in the same way.
  let call = unsafeBitCast(handler, to: (@Sendable (E) throws -> Void).self)
  guard isIsolated else { return call }
  return { event in try runtime.assumeMainActor(function: isolatedHandler) { try call(event) } }
}

@usableFromInline
func isolatedToMain(_ isolation: (any Actor)?) -> Bool {
  guard let isolation else { return false }
  if isolation === MainActor.shared { return true }
  fatalError(
    """
    A handler delivered on main is isolated to \(isolation), as a closure in an actor is when it captures self. Read a \
    stream there instead: for await event in bus.events(…) { … }. For a handler that is not isolated, deliver on \
    Delivery.main.
    """)
}

@usableFromInline
var isolatedHandler: StaticString { "A handler isolated to the main actor" }
