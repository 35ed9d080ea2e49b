import EventBus
import Lessons

/// Loads a picture, and gives up after two seconds.
final class TimedLoader: L15.Program {
  private let runtime: any Runtime
  private let server: PictureServer

  init(runtime: any Runtime, server: PictureServer) {
    self.runtime = runtime
    self.server = server
  }

  func load(
    _ picture: String, completion: @escaping @Sendable (String?) -> Void
  ) {
    let timer = runtime.main.schedule(after: .seconds(2)) {
      completion(nil)
    }
    server.fetch(picture) { [runtime] answer in
      runtime.main.schedule {
        timer.cancel()
        completion(try? answer.get())
      }
    }
  }
}
