import Bytes

/// The help of `fetcher` and of each command.
enum HelpPage {
  /// The list of commands.
  static func overview(_ commands: [Command], fallback: Command) -> [String] {
    let shown = commands.filter { !$0.isHidden }
    let lines = columns(shown.map { ($0.name, $0.summary + ($0.name == fallback.name ? " (the default)" : "")) })
    return [
      "Fetch images with five interchangeable strategies, and see how each behaves.", "",
      "Usage: fetcher [COMMAND] [FLAGS]", "", "Commands:",
    ] + lines + [
      "", "Flags:",
    ] + columns([("--version", "the version of fetcher")] + CommandOption.common.map { ($0.name, $0.help) }) + [
      "", "`fetcher COMMAND --help` explains one command, with an example.",
    ]
  }

  /// One command.
  static func page(_ command: Command) -> [String] {
    let arguments = command.arguments.map { " \($0)" } ?? ""
    let flags = command.allOptions.map { ($0.name + ($0.value.map { " \($0)" } ?? ""), $0.help) }
    var lines = [command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".", ""]
    lines += ["Usage: fetcher \(command.name)\(arguments) [FLAGS]", ""]
    if !command.actions.isEmpty {
      lines += ["Actions:"] + columns(command.actions.map { ($0.name, $0.help) }) + [""]
    }
    return lines + ["Flags:"] + columns(flags) + (command.details.isEmpty ? [] : [""] + command.details) + [
      "", "Example:", "  \(command.example)",
    ]
  }

  private static func columns(_ rows: [(String, String)]) -> [String] {
    let width = rows.reduce(0) { max($0, $1.0.count) }
    return rows.map { "  \($0.0.padded(to: width))  \($0.1)" }
  }
}
