import EventBus
import Lessons

/// Caches thumbnails, and loads each one only once.
actor ThumbnailCache: L18.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private var thumbnails: [String: String] = [:]
  private var loads: [String: Task<Void, Never>] = [:]

  init(runtime: any Runtime, server: PictureServer) {
    self.runtime = runtime
    self.server = server
  }

  func thumbnail(_ picture: String) async -> String? {
    if let thumbnail = thumbnails[picture] { return thumbnail }
    let load = loads[picture] ?? runtime.task { await self.load(picture) }
    loads[picture] = load
    await load.value
    return thumbnails[picture]
  }

  private func load(_ picture: String) async {
    thumbnails[picture] = await server.picture(picture)
    loads[picture] = nil
  }
}
