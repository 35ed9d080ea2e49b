import EventBus
import Lessons
import Synchronization

/// Searches for the typed text.
final class SearchField: L19.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen
  private let newest = Mutex(0)

  init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    self.runtime = runtime
    self.server = server
    self.screen = screen
  }

  func search(_ text: String) {
    let number = newest.withLock { newest in
      newest += 1
      return newest
    }
    _ = runtime.task { [self] in
      let found = await server.picture(text)
      show(found, of: number)
    }
  }

  private func show(_ found: String, of number: Int) {
    runtime.main.schedule { [self] in
      guard newest.withLock({ $0 }) == number else { return }
      screen.show(found)
    }
  }
}
