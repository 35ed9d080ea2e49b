import EventBus
import Lessons
import Synchronization

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
    let finish = OneShot(completion)
    let request = server.fetch(picture) { [runtime] answer in
      runtime.main.schedule { finish(try? answer.get()) }
    }
    _ = runtime.main.schedule(after: .seconds(2)) {
      finish(nil)
      request.cancel()
    }
  }
}

/// Runs the action on the first call, and ignores later calls.
private final class OneShot: Sendable {
  private let isDone = Mutex(false)
  private let action: @Sendable (String?) -> Void

  init(_ action: @escaping @Sendable (String?) -> Void) {
    self.action = action
  }

  func callAsFunction(_ result: String?) {
    let isFirst = isDone.withLock { isDone in
      defer { isDone = true }
      return !isDone
    }
    if isFirst { action(result) }
  }
}
