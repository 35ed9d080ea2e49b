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
    var index = 0
    while let handler = handler(at: index) {
      handler(news)
      index += 1
    }
  }

  private func handler(at index: Int) -> Handler? {
    state.withLock { state in
      guard state.handlers.indices.contains(index) else { return nil }
      return state.handlers[index].handler
    }
  }
}
