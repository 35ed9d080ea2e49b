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
    await withTaskGroup(of: String?.self) { group in
      group.addTask { [server] in await server.picture(picture) }
      group.addTask { [self] in await timeout() }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
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
