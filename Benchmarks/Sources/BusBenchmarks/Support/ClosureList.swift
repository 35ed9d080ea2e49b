import Synchronization

/// The least that a bus can be: closures in a contiguous array, called one after the other under a lock.
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
