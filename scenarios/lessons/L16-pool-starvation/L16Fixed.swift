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
    for picture in pictures {
      server.fetch(picture) { [self] answer in
        guard case .success(let image) = answer else { return }
        runtime.main.schedule { [self] in screen.show(image) }
      }
    }
  }

  func count() {
    runtime.workers.schedule { [self] in
      runtime.main.schedule { [self] in screen.show("count") }
    }
  }
}
