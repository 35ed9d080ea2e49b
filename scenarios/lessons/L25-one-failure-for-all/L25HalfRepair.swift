import EventBus
import Lessons

/// Loads pictures concurrently, and shows those that could be loaded.
final class GroupGallery: L25.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen

  init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    self.runtime = runtime
    self.server = server
    self.screen = screen
  }

  func load(_ pictures: [String]) async {
    await withThrowingTaskGroup(of: String.self) { group in
      for picture in pictures {
        group.addTask { [server] in try await server.load(picture) }
      }
      while let image = try? await group.next() { show(image) }
    }
  }

  private func show(_ image: String) {
    runtime.main.schedule { [self] in screen.show(image) }
  }
}
