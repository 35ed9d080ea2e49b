import EventBus
import Lessons

/// Loads a picture, and gives up after two seconds.
final class PatientLoader: L22.Program {
  private let runtime: any Runtime
  private let server: PictureServer

  init(runtime: any Runtime, server: PictureServer) {
    self.runtime = runtime
    self.server = server
  }

  func load(_ picture: String) async -> String? {
    let (results, first) = AsyncStream<String?>.makeStream()
    let load = runtime.task { [server] in
      first.yield(await server.picture(picture))
    }
    let limit = runtime.task { [self] in
      first.yield(await timeout())
    }
    defer {
      load.cancel()
      limit.cancel()
    }
    for await result in results { return result }
    return nil
  }

  /// Returns nil after two seconds.
  private func timeout() async -> String? {
    await withCheckedContinuation { continuation in
      _ = runtime.main.schedule(after: .seconds(2)) {
        continuation.resume(returning: nil)
      }
    }
  }
}
