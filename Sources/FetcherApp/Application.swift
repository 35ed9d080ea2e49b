import CommandLineTool
import FetcherModel

/// Runs the executable, from its arguments to its exit code.
struct Application: Sendable {
  let words: [String]
  let context: CommandContext

  /// Runs the command named in the arguments and returns its exit code. Prints errors to the notes stream and never
  /// throws.
  func run() async -> ExitCode {
    do {
      let parser = CommandLineParser(commands: Self.commands, fallback: DemoCommand.command)
      switch try parser.parse(words) {
      case .overview:
        print(HelpPage.overview(Self.commands, fallback: DemoCommand.command))
      case .help(let command, let isFull):
        print(HelpPage.page(command, isFull: isFull))
      case .version:
        context.output.line("fetcher \(Command.executableVersion)")
      case .run(let command, let arguments):
        if command.endsWithItsReader { context.output.whenReaderIsGone { context.shutdown.leave(.success) } }
        let code = try await command.run(arguments, context)
        // Not every report shows the messages of failed downloads.
        if code != .success, let refusal = PrivateTemporaryDirectory.refusal {
          complain(refusal.message(of: "\(StrategyName.downloadTask)"))
        }
        return code
      }
      return .success
    } catch let error as UsageError {
      complain(error.description)
      let owner = Self.commands.first { $0.name == words.first }
      let list = owner == nil ? "all commands" : "all flags"
      let help = owner?.hasGroups == true ? CommandOption.helpAll : .help
      context.notes.line("`fetcher \(owner.map { "\($0.name) " } ?? "")\(help.name)` lists \(list).")
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
  /// All commands, in help order.
  static let commands = ManualCommands(
    for: [DemoCommand.command, FetchCommand.command, StrategiesCommand.command] + Laboratory.commands,
    fallback: DemoCommand.command
  ).all
}
