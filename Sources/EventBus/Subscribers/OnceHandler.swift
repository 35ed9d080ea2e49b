import Synchronization

/// Wraps a handler so that it runs once, and ends its subscription.
@usableFromInline
func onlyOnce<E: Event>(_ handler: @escaping @Sendable (E) throws -> Void) -> @Sendable (E) throws -> Void {
  let isUsed = Atomic(false)
  return { event in
    if isUsed.exchange(true, ordering: .relaxed) { throw EndOfSubscription.asUnused }
    do { try handler(event) } catch { throw EndOfSubscription.failed(error) }
    throw EndOfSubscription.asUsed
  }
}

/// Thrown by the wrapper for `once` handlers to end a subscription. ``Caller`` catches it, so no client sees it.
@usableFromInline
enum EndOfSubscription: Error {
  /// The handler was not called because another thread's event arrived first.
  case unused
  /// The handler was called for the last time.
  case used
  case failed(any Error)

  // These instances are reused. There can be millions of throws, and tools that record each thrown error would keep
  // every instance.
  @usableFromInline static let asUnused: any Error = EndOfSubscription.unused
  @usableFromInline static let asUsed: any Error = EndOfSubscription.used
}
