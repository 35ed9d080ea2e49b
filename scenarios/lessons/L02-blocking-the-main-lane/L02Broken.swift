import EventBus
import Lessons

/// Shows the favorite that the user selects.
final class FavoriteList: L02.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen

  init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    self.runtime = runtime
    self.server = server
    self.screen = screen
  }

  func select(_ picture: String) {
    screen.show(read(picture))
  }

  /// Returns the picture once it arrives, as `Data(contentsOf:)` does.
  private func read(_ picture: String) -> String {
    let isHere = runtime.gate()
    let request = server.fetch(picture) { _ in isHere.open() }
    isHere.wait()
    return request.image ?? "no picture"
  }
}
