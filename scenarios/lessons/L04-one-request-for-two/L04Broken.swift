import EventBus
import Lessons
import Synchronization

/// Loads each picture only once, no matter how many views want it.
final class PictureStore: L04.Program {
  typealias Show = @Sendable (String?) -> Void

  private struct State {
    var loading: Set<String> = []
    var waiting: [String: [Show]] = [:]
    var images: [String: String] = [:]
  }

  private let runtime: any Runtime
  private let server: PictureServer
  private let state = Mutex(State())

  init(runtime: any Runtime, server: PictureServer) {
    self.runtime = runtime
    self.server = server
  }

  func want(_ picture: String, show: @escaping Show) {
    let (image, isLoading) = state.withLock { state in
      (state.images[picture], state.loading.contains(picture))
    }
    if let image { return show(image) }
    state.withLock { $0.waiting[picture, default: []].append(show) }
    guard !isLoading else { return }
    runtime.workers.schedule { [self] in
      _ = state.withLock { state in state.loading.insert(picture) }
      server.fetch(picture) { [self] answer in arrived(picture, answer) }
    }
  }

  /// Handles the answer. Runs on the network queue.
  private func arrived(
    _ picture: String, _ answer: Result<String, PictureServer.Failure>
  ) {
    let image = try? answer.get()
    runtime.workers.schedule { [self] in
      let shows = state.withLock { state in
        state.loading.remove(picture)
        state.images[picture] = image
        return state.waiting.removeValue(forKey: picture) ?? []
      }
      runtime.main.schedule { for show in shows { show(image) } }
    }
  }
}
