/// Loads each picture once, however many callers want it.
actor ImageStore {
  private let fetch: @Sendable (String) async throws -> String
  private var loads: [String: Task<String, any Error>] = [:]

  init(fetch: @escaping @Sendable (String) async throws -> String) {
    self.fetch = fetch
  }

  func image(_ picture: String) async throws -> String {
    if let load = loads[picture] {
      return try await result(of: load, picture)
    }
    let load = Task { try await fetch(picture) }
    loads[picture] = load
    return try await result(of: load, picture)
  }

  /// Each caller that sees a failure forgets the load.
  private func result(
    of load: Task<String, any Error>, _ picture: String
  ) async throws -> String {
    do { return try await load.value } catch {
      loads[picture] = nil
      throw error
    }
  }
}
