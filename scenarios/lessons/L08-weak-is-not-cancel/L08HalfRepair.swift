import EventBus
import Lessons
import Synchronization

/// A list row that shows one picture after another.
final class PhotoRow: L08.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen
  private let request = Mutex<PictureServer.Request?>(nil)

  init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    self.runtime = runtime
    self.server = server
    self.screen = screen
  }

  deinit {
    request.withLock { $0 }?.cancel()
  }

  func show(_ picture: String) {
    let next = server.fetch(picture) { [weak self, runtime] answer in
      guard case .success(let image) = answer else { return }
      runtime.main.schedule { [weak self] in self?.screen.show(image) }
    }
    request.withLock { $0 = next }
  }
}
