import EventBus
import Lessons

/// Caches thumbnails, and loads each one only once.
actor ThumbnailCache: L18.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private var thumbnails: [String: String] = [:]

  init(runtime: any Runtime, server: PictureServer) {
    self.runtime = runtime
    self.server = server
  }

  func thumbnail(_ picture: String) async -> String? {
    if let thumbnail = thumbnails[picture] { return thumbnail }
    let thumbnail = await server.picture(picture)
    // Another call may have stored the thumbnail in the meantime.
    if thumbnails[picture] == nil { thumbnails[picture] = thumbnail }
    return thumbnails[picture]
  }
}
