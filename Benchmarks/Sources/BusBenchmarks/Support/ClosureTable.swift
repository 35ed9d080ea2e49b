import Synchronization

/// The minimal bus with keys: a dictionary with a list of closures per key, under a lock.
final class ClosureTable<Key: Hashable & Sendable, Event>: Sendable {
  private struct Handler: Sendable {
    let call: @Sendable (Event) -> Void
  }

  private let handlers = Mutex<[Key: ContiguousArray<Handler>]>([:])

  func add(for key: Key, _ handler: @escaping @Sendable (Event) -> Void) {
    handlers.withLock { $0[key, default: []].append(Handler(call: handler)) }
  }

  func post(_ event: Event, for key: Key) {
    handlers.withLock { handlers in
      guard let handlers = handlers[key] else { return }
      for handler in handlers { handler.call(event) }
    }
  }
}
