import EventBus
import Lessons
import Synchronization

/// Loads each picture only once, no matter how many views want it.
final class PictureStore: L04.Program {
  private struct State {
    var loading: Set<String> = []
    var pictures: Set<String> = []
  }

  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen
  private let state = Mutex(State())

  init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    self.runtime = runtime
    self.server = server
    self.screen = screen
  }

  func want(_ picture: String) {
    let (isHere, isFirst) = state.withLock { state in
      let isHere = state.pictures.contains(picture)
      return (isHere, !isHere && state.loading.insert(picture).inserted)
    }
    if isHere { return screen.show(picture) }
    guard isFirst else { return }
    runtime.workers.schedule { [self] in
      server.fetch(picture) { [self] answer in arrived(picture, answer) }
    }
  }

  /// Handles the answer. Runs on the network queue.
  private func arrived(
    _ picture: String, _ answer: Result<String, PictureServer.Failure>
  ) {
    runtime.workers.schedule { [self] in
      state.withLock { state in
        state.loading.remove(picture)
        if case .success = answer { state.pictures.insert(picture) }
      }
      runtime.main.schedule { [self] in screen.show(picture) }
    }
  }
}
