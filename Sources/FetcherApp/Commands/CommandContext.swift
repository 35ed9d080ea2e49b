/// What a command works with.
struct CommandContext: Sendable {
  /// Results.
  let output: Output
  /// Notes, progress and errors.
  let notes: Output
  let shutdown: Shutdown
  let resources: ResourceLocator
}
