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
      // Print the album here, and the cover in the next closure.
      runtime.workers.schedule { [self] in
        finish(album)
      }
    }
  }

  private func finish(_ album: String) {
    runtime.main.schedule { [self] in screen.show(album) }
  }
}
