import EventBus
import Lessons
import Synchronization

/// Announces news to all subscribers. Handlers may also post news.
final class Announcer: L11.Program {
  typealias Handler = @Sendable (String) -> Void

  private let runtime: any Runtime
  private let handlers = Mutex<[Handler]>([])

  init(runtime: any Runtime) {
    self.runtime = runtime
  }

  func subscribe(_ handler: @escaping @Sendable (String) -> Void) {
    handlers.withLock { $0.append(handler) }
  }

  func post(_ news: String) {
    for handler in handlers.withLock({ $0 }) {
      handler(news)
    }
  }
}
