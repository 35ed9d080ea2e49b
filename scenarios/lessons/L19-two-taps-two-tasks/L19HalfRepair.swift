import EventBus
import Lessons
import Synchronization

/// Searches for the typed text.
final class SearchField: L19.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen
  private let running = Mutex<Task<Void, Never>?>(nil)

  init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    self.runtime = runtime
    self.server = server
    self.screen = screen
  }

  func search(_ text: String) {
    running.withLock { $0 }?.cancel()
    let next = runtime.task { [self] in
      let found = await server.picture(text)
      show(found)
    }
    running.withLock { $0 = next }
  }

  private func show(_ found: String) {
    runtime.main.schedule { [self] in
      screen.show(found)
    }
  }
}
