import PlainText

/// The help pages of `fetcher` and of its commands.
package enum HelpPage {
  /// Returns the list of commands.
  package static func overview(_ commands: [Command], fallback: Command) -> [String] {
    let shown = commands.filter { !$0.isHidden }
    var lines = [
      "Fetches images with interchangeable strategies, and shows how each behaves.", "",
      "Usage: \(ProgramName.shown) [COMMAND] [FLAGS]", "", "Commands:",
    ]
    lines += columns(shown.map { ($0.name, $0.summary + ($0.name == fallback.name ? " (the default)" : "")) })
    lines += ["", "Flags:"]
    lines += columns(([.version] + CommandOption.common).map { ($0.name, $0.help) })
    return lines + ["", "`\(ProgramName.shown) COMMAND --help` explains one command, with an example."]
  }

  /// Returns the help page of one command.
  ///
  /// - Parameter isFull: whether to list the options that belong to a group.
  package static func page(_ command: Command, isFull: Bool = false) -> [String] {
    let arguments = command.arguments.map { " \($0)" } ?? ""
    let shown = command.allOptions.filter { isFull || $0.group == nil }
    let flags = columns(shown.map { ($0.name + ($0.value.map { " \($0)" } ?? ""), $0.help) })
    let groups = shown.reduce(into: [String?]()) { if !$0.contains($1.group) { $0.append($1.group) } }
    let lists = groups.flatMap { group in
      [group.map { "\($0):" } ?? "Flags:"] + zip(shown, flags).filter { $0.0.group == group }.map(\.1)
        + (group == groups.last ? [] : [""])
    }
    var lines = [command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".", ""]
    lines += ["Usage: \(ProgramName.shown) \(command.name)\(arguments) [FLAGS]", ""]
    if !command.actions.isEmpty {
      lines += ["Actions:"] + columns(command.actions.map { ($0.name, $0.help) }) + [""]
    }
    return lines + lists + (command.details.isEmpty ? [] : [""] + command.details) + [
      "", "Example:", "  \(command.example)",
    ]
  }

  private static func columns(_ rows: [(String, String)]) -> [String] {
    let width = rows.reduce(0) { max($0, $1.0.count) }
    return rows.map { "  \($0.0.padded(to: width))  \($0.1)" }
  }
}

/// The man page, which is generated from the same table as the help pages.
package struct ManualPage {
  package let commands: [Command]
  package let fallback: Command
  package let version: String

  package var lines: [String] {
    // Separate statements, because the compiler needs 20 s for one expression with all of them.
    var lines = [
      ".TH FETCHER 1 \"\" \"fetcher \(version)\" \"User Commands\"", ".SH NAME",
      text("fetcher - fetches images with interchangeable strategies, and shows how each behaves"), ".SH SYNOPSIS",
      ".B fetcher", text("[COMMAND] [FLAGS]"), ".SH COMMANDS",
    ]
    for command in commands { lines += section(command) }
    lines.append(".SH EXIT STATUS")
    for code in ExitCode.allCases { lines += [".TP", ".B \(code.rawValue)", text(code.help)] }
    return lines + [
      ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "If set and not empty, output to a terminal has no color.",
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

  /// Escapes a line so that roff prints it literally.
  private func text(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
