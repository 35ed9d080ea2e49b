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
    return [
      ".SS \(text(command.name))",
      text(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + note + "."),
      ".PP", ".B " + usage,
    ] + command.actions.flatMap { item($0.name, $0.help) }
      + command.allOptions.flatMap { item($0.name + ($0.value.map { " \($0)" } ?? ""), $0.help) } + [
        ".PP", "Example:", ".PP", ".RS", ".nf", text(command.example), ".fi", ".RE",
      ]
  }

  private func item(_ name: String, _ help: String) -> [String] { [".TP", ".B \(text(name))", text(help)] }

  /// A line that means nothing but itself.
  private func text(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
