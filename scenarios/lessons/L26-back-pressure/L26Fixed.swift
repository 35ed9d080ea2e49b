import EventBus
import Lessons
import Synchronization

/// Uploads pictures from a card, one after another.
final class Importer: L26.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let upload = Mutex<Task<Void, Never>?>(nil)

  init(runtime: any Runtime, server: PictureServer) {
    self.runtime = runtime
    self.server = server
  }

  func add(_ picture: String) async {
    await upload.withLock { $0 }?.value
    let next = runtime.task { [server] in
      _ = await server.picture(picture)
    }
    upload.withLock { $0 = next }
  }

  func close() {}
}
