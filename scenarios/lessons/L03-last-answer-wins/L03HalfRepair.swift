import EventBus
import Lessons
import Synchronization

/// Shows the picture that the user has selected.
final class PicturePage: L03.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen
  private let selected = Mutex("")
  private let isStale = Mutex(false)

  init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    self.runtime = runtime
    self.server = server
    self.screen = screen
  }

  func select(_ picture: String) {
    // The requests in flight are now outdated.
    isStale.withLock { $0 = true }
    selected.withLock { $0 = picture }
    isStale.withLock { $0 = false }
    server.fetch(picture) { [self] answer in
      runtime.main.schedule { [self] in arrived(picture, answer) }
    }
  }

  /// Handles the answer. Runs on main.
  private func arrived(
    _ picture: String, _ answer: Result<String, PictureServer.Failure>
  ) {
    guard case .success(let image) = answer else { return }
    guard !isStale.withLock({ $0 }) else { return }
    screen.show(image)
  }
}
