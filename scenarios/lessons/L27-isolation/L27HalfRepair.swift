/// Loads a picture, decodes it, and shows it.
@MainActor final class PhotoModel {
  private let fetch: @Sendable (String) async -> String?
  private let decode: @Sendable (String) -> String
  private let show: @MainActor (String) -> Void

  init(
    fetch: @escaping @Sendable (String) async -> String?,
    decode: @escaping @Sendable (String) -> String,
    show: @escaping @MainActor (String) -> Void
  ) {
    self.fetch = fetch
    self.decode = decode
    self.show = show
  }

  func open(_ picture: String) {
    Task(name: "open \(picture)") {
      guard let data = await fetch(picture) else { return }
      let image = await makeImage(data)
      show(image)
    }
  }

  /// Not isolated to the main actor, so it runs where the caller runs.
  private nonisolated(nonsending) func makeImage(_ data: String) async
    -> String
  {
    decode(data)
  }
}
