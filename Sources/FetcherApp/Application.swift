import Bytes

/// The executable from its arguments to its exit code.
struct Application: Sendable {
  /// As `--version` prints it.
  static let version = "0.1.0"

  let words: [String]
  let context: CommandContext

  /// Runs what the words ask for. Errors become one line on the notes and a code; they never escape.
  func run() async -> ExitCode {
    do {
      let parser = CommandLineParser(commands: Self.commands, fallback: DemoCommand.command)
      switch try parser.parse(words) {
      case .overview:
        print(HelpPage.overview(Self.commands, fallback: DemoCommand.command))
      case .help(let command):
        print(HelpPage.page(command))
      case .version:
        context.output.line("fetcher \(Self.version)")
      case .run(let command, let arguments):
        if command.endsWithItsReader { context.output.whenReaderIsGone { context.shutdown.leave(.success) } }
        return try await command.run(arguments, context)
      }
      return .success
    } catch let error as UsageError {
      complain(error.description)
      let owner = Self.commands.first { $0.name == words.first }
      context.notes.line("`fetcher \(owner.map { "\($0.name) " } ?? "")--help` lists what there is.")
      return .usage
    } catch let error as CommandFailure {
      if let message = error.message { complain(message) }
      return error.code
    } catch {
      complain("\(error)")
      return .failed
    }
  }

  private func print(_ lines: [String]) {
    for line in lines { context.output.line(line) }
  }

  private func complain(_ message: String) { context.notes.complain(message) }
}

extension Application {
  /// Every word of the command line, in the order of the help.
  static let commands = [
    DemoCommand.command, FetchCommand.command, SystemCommand.command, RunCommand.command, CheckCommand.command,
    ExploreCommand.command, LessonCommand.command,
    CompareCommand.command, StrategiesCommand.command, OriginCommand.command, CompletionsCommand.command,
    ManualCommand.command, MeasureCommand.command, ExhibitCommand.command,
  ]
}
