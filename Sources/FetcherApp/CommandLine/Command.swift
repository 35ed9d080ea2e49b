import OriginServer

/// A command of `fetcher`: its options and its action.
struct Command: Sendable {
  /// The version of the executable, as `--version` prints it.
  static let executableVersion = "0.1.0"

  let name: String
  /// A one-line summary for the list of commands.
  let summary: String
  /// The placeholder for the positional arguments, such as `URL...`, or nil if the command takes none.
  var arguments: String?
  /// Whether the command requires at least one positional argument.
  var needsArguments = false
  var options: [CommandOption] = []
  /// The possible values of the first argument, each with one line of help text.
  var actions: [(name: String, help: String)] = []
  /// Additional lines of help text.
  var details: [String] = []
  let example: String
  /// Whether this is an internal command that the list of commands omits.
  var isHidden = false
  /// Whether the command only prints information. Such a command can exit immediately and report success if the
  /// reader of its output closes the pipe.
  var endsWithItsReader = false
  let run: @Sendable (ParsedArguments, CommandContext) async throws -> ExitCode

  /// All options, with the common ones last.
  var allOptions: [CommandOption] { options + CommandOption.common }
}

/// The environment in which a command runs.
struct CommandContext: Sendable {
  /// The stream for results.
  let output: Output
  /// The stream for notes, progress and errors.
  let notes: Output
  let shutdown: Shutdown
  let resources: ResourceLocator
}

extension CommandContext {
  /// Starts an origin server and stops it when the process ends.
  func startOrigin(
    port: UInt16 = 0, _ content: OriginContent = OriginContent(), policy: OriginPolicy = OriginPolicy()
  ) throws(CommandFailure) -> OriginServer {
    do {
      let origin = try OriginServer(port: port, content: content, policy: policy)
      shutdown.atEnd { origin.stop() }
      return origin
    } catch {
      throw .cannotStart("\(error)")
    }
  }
}
