/// A gallery that shows a picture when its answer arrives. The repaired one shows it only if it is still selected.
@MainActor final class Gallery {
  private(set) var shown = ""
  private(set) var selected = ""
  private let checksSelection: Bool

  init(checksSelection: Bool) { self.checksSelection = checksSelection }

  func select(_ name: String, answeringIn time: Duration) {
    selected = name
    Task {
      try? await Task.sleep(for: time)
      if checksSelection, selected != name { return }
      shown = name
    }
  }
}
