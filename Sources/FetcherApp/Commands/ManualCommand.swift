/// `fetcher manual`: the page for `man`.
enum ManualCommand {
  static let command = Command(
    name: "manual", summary: "prints the page for man", example: "fetcher manual",
    run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) -> ExitCode {
    let page = ManualPage(
      commands: Application.commands.filter { !$0.isHidden }, fallback: DemoCommand.command,
      version: Application.version)
    for line in page.lines { context.output.line(line) }
    return .success
  }
}

/// `fetcher completions`: what makes a shell complete the command line.
enum CompletionsCommand {
  static let command = Command(
    name: "completions", summary: "prints the completions for a shell", arguments: "bash|zsh|fish",
    needsArguments: true,
    actions: [
      ("bash", "for ~/.local/share/bash-completion/completions/fetcher"),
      ("zsh", "for a file _fetcher in a folder of $fpath"),
      ("fish", "for ~/.config/fish/completions/fetcher.fish"),
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
