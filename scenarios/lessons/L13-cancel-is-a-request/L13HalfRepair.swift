import EventBus
import Lessons
import Synchronization

/// A download that the user can cancel, and that ends only once.
final class Download: L13.Program {
  private struct State {
    var request: PictureServer.Request?
    var isOver = false
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

  func start(_ picture: String) {
    let request = server.fetch(picture) { [self] answer in
      guard !state.withLock({ $0.isOver }) else { return }
      switch answer {
      case .success(let data):
        runtime.workers.schedule { [self] in decode(data) }
      case .failure(.offline):
        runtime.main.schedule { [self] in end("failed") }
      case .failure(.cancelled): break
      }
    }
    state.withLock { $0.request = request }
  }

  func cancel() {
    guard !state.withLock({ $0.isOver }) else { return }
    state.withLock { $0.request }?.cancel()
    end("cancelled")
  }

  /// Makes an image from the data. Runs on a worker.
  private func decode(_ data: String) {
    runtime.main.schedule { [self] in end(data) }
  }

  /// Runs on main.
  private func end(_ text: String) {
    state.withLock { $0.isOver = true }
    screen.show(text)
  }
}
