import EventBus
import Lessons
import Synchronization

/// Shows a thumbnail while the strip is visible.
final class ThumbnailStrip: X1.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen
  private let isVisible = Mutex(false)

  init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    self.runtime = runtime
    self.server = server
    self.screen = screen
  }

  func appear(_ picture: String) {
    isVisible.withLock { $0 = true }
    server.fetch(picture) { [self] answer in
      guard case .success(let data) = answer else { return }
      runtime.workers.schedule { [self] in decode(data) }
    }
  }

  func disappear() { isVisible.withLock { $0 = false } }

  /// Makes a thumbnail from the data. Runs on a worker.
  private func decode(_ data: String) {
    // While the lock is held, the flag cannot change.
    isVisible.withLock { isVisible in
      guard isVisible else { return }
      runtime.main.schedule { [self] in screen.show(data) }
    }
  }
}
