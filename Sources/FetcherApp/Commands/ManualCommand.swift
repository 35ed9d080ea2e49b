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
