/// Caches thumbnails, and loads each one only once.
actor ThumbnailCache {
  private let fetch: @Sendable (String) async -> String
  private var loads: [String: Task<String, Never>] = [:]

  init(fetch: @escaping @Sendable (String) async -> String) {
    self.fetch = fetch
  }

  func thumbnail(_ picture: String) async -> String {
    if let load = loads[picture] { return await load.value }
    let load = Task { await fetch(picture) }
    loads[picture] = load
    return await load.value
  }
}
