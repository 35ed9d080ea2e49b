import EventBus
import Lessons

/// Prints albums, two at a time.
final class AlbumPrinter: L17.Program {
  private let runtime: any Runtime
  private let screen: Screen

  init(runtime: any Runtime, screen: Screen) {
    self.runtime = runtime
    self.screen = screen
  }

  func print(_ album: String) {
    runtime.workers.schedule { [self] in
      // The album is printed here, and then its cover.
      runtime.workers.schedule { [self] in
        finish(album)
      }
    }
  }

  private func finish(_ album: String) {
    runtime.main.schedule { [self] in screen.show(album) }
  }
}
