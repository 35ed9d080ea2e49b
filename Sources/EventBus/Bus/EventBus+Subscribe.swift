extension EventBus {
  /// Calls `handler` for every event of a type.
  ///
  /// - Parameters:
  ///   - type: the type of the events.
  ///   - delivery: the thread or scheduler on which the handler runs, and the limit of its mailbox.
  ///   - priority: handlers with a higher priority run first; handlers with equal priorities run in registration order.
  ///   - once: whether the subscription ends after the first event that calls its handler.
  ///   - name: the subscriber's name, shown in the trace and in ``subscriptions``.
  ///   - fileID: the source file to record in the trace and in reports of handler failures.
  ///   - line: the source line to record in the trace and in reports of handler failures.
  ///   - handler: the closure to call. The handler never runs concurrently with itself, except with `.posting` if
  ///     several threads post.
  /// - Returns: the subscription. Releasing it cancels it.
  @_disfavoredOverload
  @inlinable
  public func subscribe<E: Event>(
    to type: E.Type = E.self, on delivery: Delivery = .posting, priority: Int = 0,
    once: Bool = false, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (E) throws -> Void
  ) -> Subscription {
    register(
      { $0.everybody }, of: channel(for: type), Handler(once ? onlyOnce(handler) : handler), delivery,
      priority: priority, name: name, fileID: fileID, line: line)
  }

  /// Calls `handler` for every event with one key. Events with other keys cost this subscription nothing.
  ///
  /// The other parameters and the result are the same as for
  /// ``subscribe(to:on:priority:once:name:fileID:line:_:)-(_,Delivery,_,_,_,_,_,_)``.
  @_disfavoredOverload
  @inlinable
  public func subscribe<E: KeyedEvent>(
    to type: E.Type = E.self, key: E.Key, on delivery: Delivery = .posting, priority: Int = 0,
    once: Bool = false, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (E) throws -> Void
  ) -> Subscription {
    register(
      { $0.set(for: key, of: type) }, of: channel(for: type), Handler(once ? onlyOnce(handler) : handler), delivery,
      priority: priority, name: name, fileID: fileID, line: line)
  }
}

extension EventBus {
  /// Calls `handler` on main for every event of a type, isolated to the main actor.
  ///
  /// The parameters and the result are the same as for
  /// ``subscribe(to:on:priority:once:name:fileID:line:_:)-(_,Delivery,_,_,_,_,_,_)``. The handler runs on the main scheduler
  /// of the bus's runtime, which represents the main actor (see ``Runtime/assumeMainActor(function:_:)``). A closure that
  /// is isolated to another actor does not compile. In an actor, read a stream instead, or deliver on `Delivery.main` to
  /// a nonisolated handler.
  @inlinable
  public func subscribe<E: Event>(
    to type: E.Type = E.self, on delivery: MainDelivery, priority: Int = 0,
    once: Bool = false, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @MainActor @Sendable (E) throws -> Void
  ) -> Subscription {
    subscribe(
      to: type, on: delivery.delivery, priority: priority, once: once, name: name, fileID: fileID, line: line,
      onMain(core.runtime, handler))
  }

  /// Calls `handler` on main for every event with one key, isolated to the main actor.
  ///
  /// The parameters and the result are the same as for
  /// ``subscribe(to:on:priority:once:name:fileID:line:_:)-(_,Delivery,_,_,_,_,_,_)``.
  @inlinable
  public func subscribe<E: KeyedEvent>(
    to type: E.Type = E.self, key: E.Key, on delivery: MainDelivery, priority: Int = 0,
    once: Bool = false, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @MainActor @Sendable (E) throws -> Void
  ) -> Subscription {
    subscribe(
      to: type, key: key, on: delivery.delivery, priority: priority, once: once, name: name, fileID: fileID,
      line: line, onMain(core.runtime, handler))
  }
}

/// Wraps a handler on main so that it can be called without a hop. Each call verifies that it runs on the runtime's main
/// scheduler.
@inlinable
func onMain<E: Event>(
  _ runtime: any Runtime, _ handler: @escaping @MainActor @Sendable (E) throws -> Void
) -> @Sendable (E) throws -> Void {
  { event in try runtime.assumeMainActor(function: "A handler on main") { try handler(event) } }
}
