import Bytes
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
      case .help(let command):
        print(HelpPage.page(command))
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
      context.notes.line("`fetcher \(owner.map { "\($0.name) " } ?? "")--help` lists \(list).")
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
  static let commands = [
    DemoCommand.command, FetchCommand.command, SystemCommand.command, RunCommand.command, CheckCommand.command,
    ExploreCommand.command, LessonCommand.command,
    CompareCommand.command, StrategiesCommand.command, OriginCommand.command, CompletionsCommand.command,
    ManualCommand.command, MeasureCommand.command, ExhibitCommand.command,
  ]
}

/// `fetcher manual`: prints the man page.
enum ManualCommand {
  static let command = Command(
    name: "manual", summary: "prints the man page", example: "fetcher manual",
    run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) -> ExitCode {
    let page = ManualPage(
      commands: Application.commands.filter { !$0.isHidden }, fallback: DemoCommand.command,
      version: Command.executableVersion)
    for line in page.lines { context.output.line(line) }
    return .success
  }
}

/// `fetcher completions`: prints a completion script for a shell.
enum CompletionsCommand {
  static let command = Command(
    name: "completions", summary: "prints the completion script for a shell", arguments: "bash|zsh|fish",
    needsArguments: true,
    actions: [
      ("bash", "save the output as ~/.local/share/bash-completion/completions/fetcher"),
      ("zsh", "save the output as _fetcher in a folder of $fpath"),
      ("fish", "save the output as ~/.config/fish/completions/fetcher.fish"),
    ],
    example: "fetcher completions bash", run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
    guard arguments.arguments.count == 1 else { throw UsageError("completions takes one shell") }
    let commands = Application.commands.filter { !$0.isHidden }
    let lines: [String]
    switch arguments.arguments[0] {
    case "bash": lines = BashCompletions(commands: commands).lines
    case "zsh": lines = ZshCompletions(commands: commands).lines
    case "fish": lines = FishCompletions(commands: commands).lines
    case let name: throw UsageError.unknown("shell", name, among: command.actions.map(\.name))
    }
    for line in lines { context.output.line(line) }
    return .success
  }
}
