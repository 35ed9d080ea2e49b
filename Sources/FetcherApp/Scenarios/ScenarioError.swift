/// What is wrong with a scenario file, and where in its JSON.
struct ScenarioError: Error, Equatable, CustomStringConvertible {
  /// Such as `steps[1].do`; empty for the file as a whole.
  let path: String
  let reason: String

  var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}
