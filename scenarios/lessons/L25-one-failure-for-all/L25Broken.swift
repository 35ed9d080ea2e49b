/// Loads pictures concurrently, and shows those that could be loaded.
struct GroupGallery: Sendable {
  let fetch: @Sendable (String) async throws -> String
  let show: @MainActor @Sendable (String) -> Void

  func load(_ pictures: [String]) async {
    try? await withThrowingTaskGroup(of: String.self) { group in
      for picture in pictures {
        group.addTask { try await fetch(picture) }
      }
      for try await image in group { await show(image) }
    }
  }
}
