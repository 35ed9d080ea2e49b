/// Searches for the typed text.
@MainActor final class SearchField {
  private let find: @Sendable (String) async -> String
  private let show: @MainActor (String) -> Void
  private var running: Task<Void, Never>?

  init(
    find: @escaping @Sendable (String) async -> String,
    show: @escaping @MainActor (String) -> Void
  ) {
    self.find = find
    self.show = show
  }

  func search(_ text: String) {
    running?.cancel()
    running = Task(name: "search \(text)") {
      let found = await find(text)
      show(found)
    }
  }
}
