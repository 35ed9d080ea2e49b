/// Caches thumbnails, and loads each one only once.
actor ThumbnailCache {
  private let fetch: @Sendable (String) async -> String
  private var thumbnails: [String: String] = [:]

  init(fetch: @escaping @Sendable (String) async -> String) {
    self.fetch = fetch
  }

  func thumbnail(_ picture: String) async -> String {
    if let thumbnail = thumbnails[picture] { return thumbnail }
    let thumbnail = await fetch(picture)
    thumbnails[picture] = thumbnail
    return thumbnail
  }
}
