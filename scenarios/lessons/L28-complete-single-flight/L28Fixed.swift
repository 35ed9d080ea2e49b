/// Loads each picture once, however many callers want it.
actor ImageStore {
  private let fetch: @Sendable (String) async throws -> String
  private var loads: [String: Task<String, any Error>] = [:]

  init(fetch: @escaping @Sendable (String) async throws -> String) {
    self.fetch = fetch
  }

  func image(_ picture: String) async throws -> String {
    if let load = loads[picture] { return try await load.value }
    let load = Task {
      do { return try await fetch(picture) } catch {
        loads[picture] = nil
        throw error
      }
    }
    loads[picture] = load
    return try await load.value
  }
}
