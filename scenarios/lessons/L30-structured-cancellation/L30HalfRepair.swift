/// Downloads the pictures of an album, one after another.
struct AlbumDownload: Sendable {
  /// Throws if the picture cannot be loaded, or if its task is cancelled.
  let fetch: @Sendable (String) async throws -> String
  let store: @MainActor @Sendable (String) -> Void

  func run(_ pictures: [String]) async {
    for picture in pictures {
      // No further picture after a cancellation.
      guard !Task.isCancelled else { return }
      let load = Task { try await fetch(picture) }
      guard let image = try? await load.value else { continue }
      await store(image)
    }
  }
}
