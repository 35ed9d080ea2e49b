/// The page for `man`, of the same table as the help.
struct ManualPage {
  let commands: [Command]
  let fallback: Command
  let version: String

  var lines: [String] {
    [
      ".TH FETCHER 1 \"\" \"fetcher \(version)\" \"User Commands\"", ".SH NAME",
      text("fetcher - fetches images with five interchangeable strategies, and shows how each behaves"), ".SH SYNOPSIS",
      ".B fetcher", text("[COMMAND] [FLAGS]"), ".SH COMMANDS",
    ] + commands.flatMap(section) + [
      ".SH EXIT STATUS"
    ] + ExitCode.allCases.flatMap { [".TP", ".B \($0.rawValue)", text($0.help)] } + [
      ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "Any text but the empty one: no colour on a terminal.",
    ]
  }

  private func section(_ command: Command) -> [String] {
    let usage = text("fetcher \(command.name)\(command.arguments.map { " \($0)" } ?? "") [FLAGS]")
    let note = command.name == fallback.name ? " (the default)" : ""
    var lines = [
      ".SS \(text(command.name))",
      text(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + note + "."),
      ".PP", ".B " + usage,
    ]
    for action in command.actions { lines += entry(action.name, action.help) }
    for option in command.allOptions {
      lines += entry(option.name + (option.value.map { " \($0)" } ?? ""), option.help)
    }
    if !command.details.isEmpty { lines += [".PP"] + command.details.map(text) }
    return lines + [".PP", "Example:", ".PP", ".RS", ".nf", text(command.example), ".fi", ".RE"]
  }

  private func entry(_ name: String, _ help: String) -> [String] { [".TP", ".B \(text(name))", text(help)] }

  /// A line that means nothing but itself.
  private func text(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
