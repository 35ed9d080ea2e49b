import EventBus
import Lessons

/// Shows the picture that the user selects, from the cache if possible.
final class PhotoView: L01.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen
  private let cached: [String: String]

  init(
    runtime: any Runtime, server: PictureServer, screen: Screen,
    cached: [String: String]
  ) {
    self.runtime = runtime
    self.server = server
    self.screen = screen
    self.cached = cached
  }

  func select(_ picture: String) {
    load(picture) { [screen] image in
      screen.show(image ?? "no picture")
    }
  }

  /// Loads the picture from the cache, or else from the server.
  private func load(
    _ picture: String, completion: @escaping @Sendable (String?) -> Void
  ) {
    if let image = cached[picture] { return completion(image) }
    server.fetch(picture) { [runtime] answer in
      runtime.main.schedule { completion(try? answer.get()) }
    }
  }
}
