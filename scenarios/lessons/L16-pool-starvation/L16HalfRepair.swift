import EventBus
import Lessons

/// Shows a count, and pictures as they arrive.
final class Gallery: L16.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen

  init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    self.runtime = runtime
    self.server = server
    self.screen = screen
  }

  func load(_ pictures: [String]) {
    let queue = runtime.serial("pictures")  // not the pool
    for picture in pictures {
      queue.schedule { [self] in
        let image = read(picture)
        runtime.main.schedule { [self] in screen.show(image) }
      }
    }
  }

  /// Returns the picture once it arrives, as `Data(contentsOf:)` does.
  private func read(_ picture: String) -> String {
    let isHere = runtime.gate()
    let request = server.fetch(picture) { _ in isHere.open() }
    isHere.wait()
    return request.image ?? "no picture"
  }

  func count() {
    runtime.workers.schedule { [self] in
      runtime.main.schedule { [self] in screen.show("count") }
    }
  }
}
