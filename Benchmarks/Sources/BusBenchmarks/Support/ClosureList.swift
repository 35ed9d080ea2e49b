import Synchronization

/// The minimal bus: closures in a contiguous array, called in order under a lock.
final class ClosureList<Event>: Sendable {
  private struct Handler: Sendable {
    let call: @Sendable (Event) -> Void
  }

  private let handlers = Mutex<ContiguousArray<Handler>>([])

  func add(_ handler: @escaping @Sendable (Event) -> Void) {
    handlers.withLock { $0.append(Handler(call: handler)) }
  }

  func post(_ event: Event) {
    handlers.withLock { handlers in
      for handler in handlers { handler.call(event) }
    }
  }
}
