/// Downloads the pictures of an album, one after another.
struct AlbumDownload: Sendable {
  /// Throws if the picture cannot be loaded, or if its task is cancelled.
  let fetch: @Sendable (String) async throws -> String
  let store: @MainActor @Sendable (String) -> Void

  func run(_ pictures: [String]) async {
    for picture in pictures {
      guard !Task.isCancelled else { return }
      guard let image = try? await fetch(picture) else { continue }
      guard !Task.isCancelled else { return }
      await store(image)
    }
  }
}
