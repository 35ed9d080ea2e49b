/// A store of files that are sent concurrently, until the user cancels.
@MainActor final class Uploads {
  private(set) var stored: [String] = []
  private(set) var isCancelled = false
  private(set) var storedAfterCancel: [String] = []
  private var task: Task<Void, Never>?
  private let checksCancellation: Bool

  init(checksCancellation: Bool) { self.checksCancellation = checksCancellation }

  func start(_ names: [String]) {
    task = Task {
      await withTaskGroup(of: Void.self) { group in
        for name in names { group.addTask { await self.send(name) } }
      }
    }
  }

  private func send(_ name: String) async {
    try? await Task.sleep(for: .milliseconds(10))
    if checksCancellation, Task.isCancelled { return }
    stored.append(name)
    if isCancelled { storedAfterCancel.append(name) }
  }

  func cancel() {
    isCancelled = true
    task?.cancel()
  }
}
