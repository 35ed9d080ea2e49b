import OriginServer

/// A command of `fetcher`: its options and its action.
struct Command: Sendable {
  /// The version of the executable, as `--version` prints it.
  static let executableVersion = "0.1.0"

  let name: String
  /// One line for the list of commands.
  let summary: String
  /// The placeholder of the plain arguments, such as `URL...`, or nil if there are none.
  var arguments: String?
  /// Whether the command requires at least one plain argument.
  var needsArguments = false
  var options: [CommandOption] = []
  /// The possible values of the first argument, each with a line of help.
  var actions: [(name: String, help: String)] = []
  /// Additional help lines.
  var details: [String] = []
  let example: String
  /// Whether the list of commands omits this internal helper.
  var isHidden = false
  /// Whether the command only prints information. If the reader of its output closes the pipe, it can exit immediately
  /// with success.
  var endsWithItsReader = false
  let run: @Sendable (ParsedArguments, CommandContext) async throws -> ExitCode

  /// All options, the common ones last.
  var allOptions: [CommandOption] { options + CommandOption.common }
}

/// The environment that a command runs in.
struct CommandContext: Sendable {
  /// The stream for results.
  let output: Output
  /// The stream for notes, progress and errors.
  let notes: Output
  let shutdown: Shutdown
  let resources: ResourceLocator
}

extension CommandContext {
  /// Starts an origin server that stops when the process ends.
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
