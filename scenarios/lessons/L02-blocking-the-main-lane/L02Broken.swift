import EventBus
import Lessons

/// Shows the favorite that the user selects.
final class FavouriteList: L02.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen

  init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    self.runtime = runtime
    self.server = server
    self.screen = screen
  }

  func select(_ picture: String) {
    read(picture)
    screen.show(picture)
  }

  /// Returns when the picture has arrived, as `Data(contentsOf:)` does.
  private func read(_ picture: String) {
    let isHere = runtime.gate()
    server.fetch(picture) { _ in isHere.open() }
    isHere.wait()
  }
}
