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
      let isReady = runtime.gate()
      runtime.workers.schedule {
        // Print the cover here.
        isReady.open()
      }
      isReady.wait()
      finish(album)
    }
  }

  private func finish(_ album: String) {
    runtime.main.schedule { [self] in screen.show(album) }
  }
}
