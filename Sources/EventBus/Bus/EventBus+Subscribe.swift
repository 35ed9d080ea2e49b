import Synchronization

extension EventBus {
  /// Calls `handler` for every event of a type.
  ///
  /// - Parameters:
  ///   - type: the type of the events.
  ///   - delivery: where the handler is called.
  ///   - priority: higher is called earlier; equal ones in the order of registration.
  ///   - overflow: what happens when more events wait than the subscription wants. Not with `.posting`, which has no mailbox: a
  ///     limit there ends the process with a message, as does one below 1.
  ///   - once: whether the subscription ends with the first event that it is called for.
  ///   - name: the subscriber, for the trace and for ``subscriptions``.
  ///   - fileID: reported with a failure of the handler, and to the trace.
  ///   - line: reported with a failure of the handler, and to the trace.
  ///   - handler: never called beside itself, except by `.posting` when several threads post.
  /// - Returns: the subscription. Dropping it cancels.
  @_disfavoredOverload
  @inlinable
  public func subscribe<E: Event>(
    to type: E.Type = E.self, on delivery: Delivery = .posting, priority: Int = 0, overflow: Overflow = .unbounded,
    once: Bool = false, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (E) throws -> Void
  ) -> Subscription {
    channel(for: type).register(
      { $0.everybody }, Handler(once ? onlyOnce(handler) : handler), delivery, overflow, priority: priority,
      name: name, fileID: fileID, line: line)
  }

  /// Calls `handler` for the events of one key. The other keys' events cost this subscription nothing.
  ///
  /// The other parameters and the result are as in ``subscribe(to:on:priority:overflow:once:name:fileID:line:_:)-6d8tv``.
  @_disfavoredOverload
  @inlinable
  public func subscribe<E: KeyedEvent>(
    to type: E.Type = E.self, key: E.Key, on delivery: Delivery = .posting, priority: Int = 0,
    overflow: Overflow = .unbounded, once: Bool = false, name: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line,
    _ handler: @escaping @Sendable (E) throws -> Void
  ) -> Subscription {
    channel(for: type).register(
      { $0.set(for: key, of: type) }, Handler(once ? onlyOnce(handler) : handler), delivery, overflow,
      priority: priority, name: name, fileID: fileID, line: line)
  }
}

@usableFromInline
func onlyOnce<E: Event>(_ handler: @escaping @Sendable (E) throws -> Void) -> @Sendable (E) throws -> Void {
  let isUsed = Atomic(false)
  return { event in
    if isUsed.exchange(true, ordering: .relaxed) { throw EndOfSubscription.asUnused }
    do { try handler(event) } catch { throw EndOfSubscription.failed(error) }
    throw EndOfSubscription.asUsed
  }
}

/// Thrown by the wrapper of `once`, to end a subscription. Never seen outside.
@usableFromInline
enum EndOfSubscription: Error {
  /// The handler was not called: another thread's event was first.
  case unused
  /// The handler was called for the last time.
  case used
  case failed(any Error)

  // Always the same ones: there may be millions, and tools that note each error thrown would keep them all.
  @usableFromInline static let asUnused: any Error = EndOfSubscription.unused
  @usableFromInline static let asUsed: any Error = EndOfSubscription.used
}
