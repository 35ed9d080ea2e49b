import EventBus
import Lessons
import Synchronization

/// Reloads the picture of the day. Tapping during a load has no effect.
final class ReloadButton: L05.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen
  private let isLoading = Mutex(false)

  init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    self.runtime = runtime
    self.server = server
    self.screen = screen
  }

  func tap() {
    guard !isLoading.withLock({ $0 }) else { return }
    isLoading.withLock { $0 = true }
    server.fetch("sunset") { [self] answer in
      runtime.main.schedule { [self] in arrived(answer) }
    }
  }

  /// Handles the answer. Runs on main.
  private func arrived(_ answer: Result<String, PictureServer.Failure>) {
    guard case .success(let image) = answer else {
      isLoading.withLock { $0 = false }
      return
    }
    guard !image.isEmpty else { return }
    screen.show(image)
    isLoading.withLock { $0 = false }
  }
}
