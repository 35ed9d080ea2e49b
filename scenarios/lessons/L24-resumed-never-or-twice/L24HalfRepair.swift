import EventBus
import Lessons

/// Loads pictures for tasks from a callback-based server.
final class CallbackLoader: L24.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let continuations: L24.Continuations

  init(
    runtime: any Runtime, server: PictureServer,
    continuations: L24.Continuations
  ) {
    self.runtime = runtime
    self.server = server
    self.continuations = continuations
  }

  func picture(_ name: String) async -> String? {
    await continuations.suspend { continuation in
      // The task ends after two seconds at the latest.
      let limit = runtime.main.schedule(after: .seconds(2)) {
        continuation.resume(returning: nil)
      }
      server.fetch(name) { answer in
        guard case .success(let image) = answer else { return }
        limit.cancel()
        continuation.resume(returning: image)
      }
    }
  }
}
