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
    let isReady = runtime.gate()
    runtime.workers.schedule { [self] in
      // Queue the cover first, before this closure waits.
      runtime.workers.schedule {
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
