import EventBus
import Lessons
import Synchronization

/// Delivers news to all subscribers.
final class Bulletin: L09.Program {
  typealias Handler = @Sendable (String) -> Void

  private let handlers = Mutex<[(name: String, handler: Handler)]>([])

  init(runtime: any Runtime) {}

  func subscribe(
    _ name: String, handler: @escaping @Sendable (String) -> Void
  ) {
    handlers.withLock { $0.append((name, handler)) }
  }

  func unsubscribe(_ name: String) {
    handlers.withLock { $0.removeAll { $0.name == name } }
  }

  func post(_ news: String) {
    // The copy does not change during the iteration.
    for (_, handler) in handlers.withLock({ $0 }) {
      handler(news)
    }
  }
}
