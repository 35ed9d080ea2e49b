/// `fetcher manual` and `fetcher completions`, which print texts about all commands.
package struct ManualCommands: Sendable {
  private let commands: [Command]
  private let fallback: Command

  /// - Parameters:
  ///   - commands: the other commands, in help order.
  ///   - fallback: the command to run if the command line does not name one.
  package init(for commands: [Command], fallback: Command) { (self.commands, self.fallback) = (commands, fallback) }

  /// All commands, in help order. These two commands are the last ones.
  package var all: [Command] { commands + [completions, manual] }

  /// `fetcher completions`: prints a completion script for a shell.
  private var completions: Command {
    let actions = [
      ("bash", "save the output as ~/.local/share/bash-completion/completions/fetcher"),
      ("zsh", "save the output as _fetcher in a folder of $fpath"),
      ("fish", "save the output as ~/.config/fish/completions/fetcher.fish"),
    ]
    return Command(
      name: "completions", summary: "prints the completion script for a shell", arguments: "bash|zsh|fish",
      needsArguments: true, actions: actions, example: "fetcher completions bash"
    ) { arguments, context in
      guard arguments.arguments.count == 1 else { throw UsageError("completions takes one shell") }
      let lines: [String]
      switch arguments.arguments[0] {
      case "bash": lines = BashCompletions(commands: shown).lines
      case "zsh": lines = ZshCompletions(commands: shown).lines
      case "fish": lines = FishCompletions(commands: shown).lines
      case let name: throw UsageError.unknown("shell", name, among: actions.map(\.0))
      }
      for line in lines { context.output.line(line) }
      return .success
    }
  }

  /// `fetcher manual`: prints the man page.
  private var manual: Command {
    Command(name: "manual", summary: "prints the man page", example: "fetcher manual") { _, context in
      let page = ManualPage(commands: shown, fallback: fallback, version: Command.executableVersion)
      for line in page.lines { context.output.line(line) }
      return .success
    }
  }

  private var shown: [Command] { all.filter { !$0.isHidden } }
}
