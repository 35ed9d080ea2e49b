import EventBus
import Lessons
import Synchronization

/// Announces news to all subscribers. Handlers may also post news.
final class Announcer: L11.Program {
  typealias Handler = @Sendable (String) -> Void

  private let runtime: any Runtime
  private let handlers = Mutex<[Handler]>([])
  private let waiting = Mutex<[String]>([])

  init(runtime: any Runtime) {
    self.runtime = runtime
  }

  func subscribe(_ handler: @escaping @Sendable (String) -> Void) {
    handlers.withLock { $0.append(handler) }
  }

  func post(_ news: String) {
    let isAlone = waiting.withLock { waiting in
      waiting.append(news)
      return waiting.count == 1
    }
    // Inside a handler, the running `post` delivers this news later.
    guard isAlone else { return }
    while let news = waiting.withLock({ $0.first }) {
      for handler in handlers.withLock({ $0 }) {
        handler(news)
      }
      waiting.withLock { _ = $0.removeFirst() }
    }
  }
}
