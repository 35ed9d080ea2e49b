import EventBus
import Lessons

/// Prints albums, two at a time.
final class AlbumPrinter: L17.Program {
  private let runtime: any Runtime
  private let press: L17.Press
  private let screen: Screen

  init(runtime: any Runtime, press: L17.Press, screen: Screen) {
    self.runtime = runtime
    self.press = press
    self.screen = screen
  }

  func print(_ album: String) {
    runtime.workers.schedule { [self] in
      // The cover does not wait, and nothing waits for it.
      runtime.workers.schedule { [self] in
        press.printCover(of: album)
        finish(album)
      }
    }
  }

  private func finish(_ album: String) {
    runtime.main.schedule { [self] in screen.show(album) }
  }
}
