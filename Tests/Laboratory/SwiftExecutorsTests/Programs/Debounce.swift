/// A draft that saves its text when the user pauses.
@MainActor final class Draft {
  private(set) var saved: [String] = []
  private var pending: Task<Void, Never>?
  private let respectsCancellation: Bool

  init(respectsCancellation: Bool) { self.respectsCancellation = respectsCancellation }

  func type(_ text: String) {
    pending?.cancel()
    pending = Task {
      if respectsCancellation {
        guard (try? await Task.sleep(for: .milliseconds(300))) != nil else { return }
      } else {
        try? await Task.sleep(for: .milliseconds(300))
      }
      saved.append(text)
    }
  }
}
