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
    server.fetch(picture) { [self] answer in
      guard case .success(let image) = answer else { return }
      runtime.main.schedule { [self] in screen.show(image) }
    }
  }
}
