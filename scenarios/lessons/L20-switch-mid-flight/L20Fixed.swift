import EventBus
import Lessons
import Synchronization

/// Shows a picture from the current server.
final class PictureFrame: L20.Program {
  private let runtime: any Runtime
  private let screen: Screen
  private let server: Mutex<PictureServer>
  private let opened = Mutex("")
  private let loads = Mutex(0)

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
    let number = loads.withLock { loads in
      loads += 1
      return loads
    }
    server.withLock { $0 }.fetch(picture) { [self] answer in
      runtime.main.schedule { [self] in arrived(number, answer) }
    }
  }

  /// Handles the answer. Runs on main.
  private func arrived(
    _ number: Int, _ answer: Result<String, PictureServer.Failure>
  ) {
    guard case .success(let image) = answer else { return }
    guard loads.withLock({ $0 }) == number else { return }
    screen.show(image)
  }
}
