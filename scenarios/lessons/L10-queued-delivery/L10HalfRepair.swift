import EventBus
import Lessons
import Synchronization

/// Delivers news to all subscribers, on main.
final class NewsBoard: L10.Program {
  typealias Handler = @Sendable (String) -> Void

  private let runtime: any Runtime
  private struct State {
    var handlers: [(number: Int, handler: Handler)] = []
    var count = 0
  }

  private let state = Mutex(State())

  init(runtime: any Runtime) {
    self.runtime = runtime
  }

  func subscribe(_ handler: @escaping Handler) -> Int {
    state.withLock { state in
      state.count += 1
      state.handlers.append((state.count, handler))
      return state.count
    }
  }

  func unsubscribe(_ number: Int) {
    state.withLock { $0.handlers.removeAll { $0.number == number } }
  }

  func post(_ news: String) {
    for (number, handler) in state.withLock({ $0.handlers }) {
      guard isSubscribed(number) else { continue }
      runtime.main.schedule { [self] in
        deliver(news, to: number, handler)
      }
    }
  }

  /// Runs on main.
  private func deliver(
    _ news: String, to number: Int, _ handler: Handler
  ) {
    handler(news)
  }

  private func isSubscribed(_ number: Int) -> Bool {
    state.withLock { $0.handlers.contains { $0.number == number } }
  }
}
