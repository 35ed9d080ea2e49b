/// A field that searches while the user types. Cancelling a search does not stop the server.
@MainActor final class SearchField {
  private(set) var results: [String] = []
  private var search: Task<Void, Never>?
  private let checksCancellation: Bool

  init(checksCancellation: Bool) { self.checksCancellation = checksCancellation }

  func type(_ text: String) {
    search?.cancel()
    search = Task {
      let found = await Self.ask(text)
      if checksCancellation, Task.isCancelled { return }
      results = found
    }
  }

  private nonisolated static func ask(_ text: String) async -> [String] {
    await Task.detached { try? await Task.sleep(for: .milliseconds(50)) }.value
    return ["\(text) 1", "\(text) 2"]
  }
}
