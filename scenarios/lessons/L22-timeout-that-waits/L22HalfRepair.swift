/// Loads a picture, and gives up after two seconds.
struct PatientLoader: Sendable {
  /// Requests a picture. It does not react to a cancellation.
  let fetch: @Sendable (String) async -> String

  func load(_ picture: String) async -> String? {
    await withTaskGroup(of: String?.self) { group in
      defer { group.cancelAll() }
      group.addTask { await fetch(picture) }
      group.addTask { await timeout() }
      return await group.next() ?? nil
    }
  }

  /// Returns nil after two seconds.
  private func timeout() async -> String? {
    try? await Task.sleep(for: .seconds(2))
    return nil
  }
}
