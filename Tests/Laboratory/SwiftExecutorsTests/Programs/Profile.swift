/// A screen that counts the updates after it is closed.
@MainActor final class Screen {
  private(set) var title = ""
  private(set) var isClosed = false
  private(set) var updatesAfterClose = 0

  func show(_ title: String) {
    self.title = title
    if isClosed { updatesAfterClose += 1 }
  }

  func close() { isClosed = true }
}

/// A profile that loads a name for the screen, and cancels the load when it is released.
@MainActor final class Profile {
  private let screen: Screen
  private var loading: Task<Void, Never>?

  init(screen: Screen) { self.screen = screen }

  func loadHastily() {
    loading = Task { [screen] in
      try? await Task.sleep(for: .milliseconds(80))
      screen.show("Ada")
    }
  }

  func load() {
    loading = Task { [weak self] in
      try? await Task.sleep(for: .milliseconds(80))
      self?.screen.show("Ada")
    }
  }

  deinit { loading?.cancel() }
}
