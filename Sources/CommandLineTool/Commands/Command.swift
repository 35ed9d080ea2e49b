/// A command of `fetcher`: its options and its action.
package struct Command: Sendable {
  /// The version of the executable, as `--version` prints it.
  package static let executableVersion = "0.1.0"

  package let name: String
  /// A one-line summary for the list of commands.
  package let summary: String
  /// The placeholder for the positional arguments, such as `URL...`, or nil if the command takes none.
  package var arguments: String?
  /// Whether the command requires at least one positional argument.
  package var needsArguments = false
  package var options: [CommandOption] = []
  /// Flags that users try although the command does not have them. Each value says where to set it instead.
  package var foreignFlags: [String: String] = [:]
  /// Names that users try for this command.
  package var foreignNames: [String] = []
  /// The possible values of the first argument, each with one line of help text.
  package var actions: [(name: String, help: String)] = []
  /// Additional lines of help text.
  package var details: [String] = []
  package let example: String
  /// Whether this is an internal command that the list of commands omits.
  package var isHidden = false
  /// Whether the command only prints information. Such a command can exit immediately and report success if the
  /// reader of its output closes the pipe.
  package var endsWithItsReader = false
  package let run: @Sendable (ParsedArguments, CommandContext) async throws -> ExitCode

  package init(
    name: String, summary: String, arguments: String? = nil, needsArguments: Bool = false,
    options: [CommandOption] = [], foreignFlags: [String: String] = [:], foreignNames: [String] = [],
    actions: [(name: String, help: String)] = [], details: [String] = [], example: String, isHidden: Bool = false,
    endsWithItsReader: Bool = false,
    run: @escaping @Sendable (ParsedArguments, CommandContext) async throws -> ExitCode
  ) {
    (self.name, self.summary, self.arguments, self.needsArguments) = (name, summary, arguments, needsArguments)
    (self.options, self.foreignFlags, self.foreignNames) = (options, foreignFlags, foreignNames)
    (self.actions, self.details, self.example) = (actions, details, example)
    (self.isHidden, self.endsWithItsReader, self.run) = (isHidden, endsWithItsReader, run)
  }

  /// Whether `--help` omits some options.
  package var hasGroups: Bool { options.contains { $0.group != nil } }

  /// All options, with the common ones last.
  package var allOptions: [CommandOption] {
    options + CommandOption.common + (hasGroups ? [.helpAll] : [])
  }
}

/// The environment in which a command runs.
package struct CommandContext: Sendable {
  /// The stream for results.
  package let output: Output
  /// The stream for notes, progress and errors.
  package let notes: Output
  package let shutdown: Shutdown
  package let resources: ResourceLocator

  package init(output: Output, notes: Output, shutdown: Shutdown, resources: ResourceLocator) {
    (self.output, self.notes, self.shutdown, self.resources) = (output, notes, shutdown, resources)
  }
}

extension CommandContext {
  /// Starts a service, and stops it when the process ends.
  ///
  /// - Throws: a failure with code 4 that has the text of the error with which the service failed to start.
  package func start<Service: Sendable>(
    _ make: () throws -> Service, stop: @escaping @Sendable (Service) -> Void
  ) throws(CommandFailure) -> Service {
    do {
      let service = try make()
      shutdown.atEnd { stop(service) }
      return service
    } catch {
      throw .cannotStart("\(error)")
    }
  }
}
