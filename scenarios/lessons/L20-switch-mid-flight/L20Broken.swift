import EventBus
import Lessons
import Synchronization

/// Shows a picture from the current server.
final class PictureFrame: L20.Program {
  private let runtime: any Runtime
  private let screen: Screen
  private let server: Mutex<PictureServer>
  private let opened = Mutex("")

  init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    self.runtime = runtime
    self.server = Mutex(server)
    self.screen = screen
  }

  func open(_ picture: String) {
    opened.withLock { $0 = picture }
    load(picture)
  }

  func use(_ server: PictureServer) {
    self.server.withLock { $0 = server }
    load(opened.withLock { $0 })
  }

  private func load(_ picture: String) {
    server.withLock { $0 }.fetch(picture) { [self] answer in
      runtime.main.schedule { [self] in arrived(picture, answer) }
    }
  }

  /// Handles the answer. Runs on main.
  private func arrived(
    _ picture: String, _ answer: Result<String, PictureServer.Failure>
  ) {
    guard case .success(let image) = answer else { return }
    guard opened.withLock({ $0 }) == picture else { return }
    screen.show(image)
  }
}
