/// A port on which nobody listens, for the paths of a scenario that refuse connections.
struct RefusedPort: Sendable {
  /// The beginning of addresses there, without a path. Port 1 belongs to a service that died out long ago, and only the
  /// administrator could open it.
  let base = "http://127.0.0.1:1"
  private let paths: Set<String>

  init(of scenario: Scenario) {
    paths = Set(scenario.origin.routes.filter { $0.responses.contains { $0.fault == .refuse } }.map(\.path))
  }

  /// Whether connections for the path are refused.
  func refuses(_ path: String) -> Bool { paths.contains(path) }
}
