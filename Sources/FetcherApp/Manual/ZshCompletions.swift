struct ZshCompletions {
  let commands: [Command]

  var lines: [String] {
    let names = commands.map { "    " + shellQuoted("\($0.name):\($0.summary)") }
    return ["#compdef fetcher", "_fetcher() {", "  local -a commands", "  commands=("] + names + [
      "  )", "  if (( CURRENT == 2 )); then", "    _describe command commands", "    return", "  fi",
      "  local command=$words[2]", "  shift words", "  (( CURRENT-- ))", "  case $command in",
    ] + commands.map(arguments) + [
      "  esac", "}", #"if [ "$funcstack[1]" = _fetcher ]; then _fetcher "$@"; else compdef _fetcher fetcher; fi"#,
    ]
  }

  private func arguments(_ command: Command) -> String {
    var words = command.allOptions.map { option in
      let value = option.completion.map { ":\(option.value ?? ""):\(action($0))" } ?? ""
      return shellQuoted("\(option.name)[\(escaped(option.help))]\(value)")
    }
    if let completion = command.completion {
      words.append(shellQuoted("*:\(escaped(command.arguments ?? "")):\(action(completion))"))
    }
    return "    \(command.name)) _arguments \(words.joined(separator: " ")) ;;"
  }

  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(
      ":", with: "\\:")
  }

  private func action(_ value: CompletionValue) -> String {
    switch value {
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .file: "_files"
    case .folder: "_files -/"
    case .unknown: " "
    }
  }
}
