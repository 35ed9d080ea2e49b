/// Loads a picture, and gives up after two seconds.
struct PatientLoader: Sendable {
  /// Requests a picture. It does not react to a cancellation.
  let fetch: @Sendable (String) async -> String

  func load(_ picture: String) async -> String? {
    let (results, first) = AsyncStream<String?>.makeStream()
    let load = Task { first.yield(await fetch(picture)) }
    let limit = Task { first.yield(await timeout()) }
    defer {
      load.cancel()
      limit.cancel()
    }
    for await result in results { return result }
    return nil
  }

  /// Returns nil after two seconds.
  private func timeout() async -> String? {
    try? await Task.sleep(for: .seconds(2))
    return nil
  }
}
