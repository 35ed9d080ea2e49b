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
    let previous = upload.withLock { last in
      let previous = last
      last = runtime.task { [server] in
        await previous?.value
        _ = await server.picture(picture)
      }
      return previous
    }
    await previous?.value
  }

  func close() {}
}
