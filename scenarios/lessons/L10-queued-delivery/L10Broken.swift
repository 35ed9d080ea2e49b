import EventBus
import Lessons
import Synchronization

/// Delivers news to all subscribers, on main.
final class NewsBoard: L10.Program {
  typealias Handler = @Sendable (String) -> Void

  private let runtime: any Runtime
  private let handlers = Mutex<[(name: String, handler: Handler)]>([])

  init(runtime: any Runtime) {
    self.runtime = runtime
  }

  func subscribe(
    _ name: String, handler: @escaping @Sendable (String) -> Void
  ) {
    handlers.withLock { $0.append((name, handler)) }
  }

  func unsubscribe(_ name: String) {
    handlers.withLock { $0.removeAll { $0.name == name } }
  }

  func post(_ news: String) {
    for (name, handler) in handlers.withLock({ $0 }) {
      runtime.main.schedule { [self] in
        deliver(news, to: name, handler)
      }
    }
  }

  /// Runs on main.
  private func deliver(
    _ news: String, to name: String, _ handler: Handler
  ) {
    handler(news)
  }

  private func isSubscribed(_ name: String) -> Bool {
    handlers.withLock { $0.contains { $0.name == name } }
  }
}
