import EventBus
import Lessons
import Synchronization

/// Delivers news to all subscribers.
final class Bulletin: L09.Program {
  typealias Handler = @Sendable (String) -> Void

  private struct State {
    var handlers: [(number: Int, handler: Handler)] = []
    var count = 0
  }

  private let state = Mutex(State())

  init(runtime: any Runtime) {}

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
    // The copy does not change during the iteration.
    for (_, handler) in state.withLock({ $0.handlers }) {
      handler(news)
    }
  }
}
