import OriginServer

/// One word of the command line: what it understands, and what it does.
struct Command: Sendable {
  /// The version of the executable, as `--version` prints it.
  static let executableVersion = "0.1.0"

  let name: String
  /// One line for the list of commands.
  let summary: String
  /// What the plain arguments stand for, such as `URL...`, or nil where there are none.
  var arguments: String?
  /// The command does not run without a plain argument.
  var needsArguments = false
  var options: [CommandOption] = []
  /// The words that its first argument can be, each with a line of help.
  var actions: [(name: String, help: String)] = []
  /// What flags cannot say, in lines.
  var details: [String] = []
  let example: String
  /// A helper of `fetcher` itself, not shown in the list.
  var isHidden = false
  /// All that the command does is show something: it may end at once, with success, when nobody reads its results.
  var endsWithItsReader = false
  let run: @Sendable (ParsedArguments, CommandContext) async throws -> ExitCode

  /// All flags, the common ones last.
  var allOptions: [CommandOption] { options + CommandOption.common }
}

/// What a command works with.
struct CommandContext: Sendable {
  /// Results.
  let output: Output
  /// Notes, progress and errors.
  let notes: Output
  let shutdown: Shutdown
  let resources: ResourceLocator
}

extension CommandContext {
  /// Starts an origin that stops when the process ends.
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
