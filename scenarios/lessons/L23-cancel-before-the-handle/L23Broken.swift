import EventBus
import Lessons
import Synchronization

/// Loads pictures for tasks. Cancelling a task ends its request.
final class TaskLoader: L23.Program {
  private let runtime: any Runtime
  private let server: PictureServer

  init(runtime: any Runtime, server: PictureServer) {
    self.runtime = runtime
    self.server = server
  }

  func picture(_ name: String) async -> String? {
    let handle = RequestHandle()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        runtime.workers.schedule { [server] in
          let request = server.fetch(name) { answer in
            continuation.resume(returning: try? answer.get())
          }
          handle.store(request)
        }
      }
    } onCancel: {
      handle.cancel()
    }
  }
}

/// Holds the request in flight, so that it can be cancelled.
private final class RequestHandle: Sendable {
  private let request = Mutex<PictureServer.Request?>(nil)

  func store(_ request: PictureServer.Request) {
    self.request.withLock { $0 = request }
  }

  func cancel() {
    request.withLock { $0 }?.cancel()
  }
}
