import PlainText

/// The kind of completion that a shell can offer for a value.
package enum CompletionValue: Equatable {
  case words([String])
  case file, folder
  /// A value that cannot be completed, such as a number or a URL.
  case unknown

  /// - Parameter placeholder: the placeholder in the help text, such as `FILE` or `URL...`.
  package init(_ placeholder: String, words: [String] = []) {
    if !words.isEmpty {
      self = .words(words)
    } else if placeholder.contains("FILE") {
      self = .file
    } else if placeholder.contains("DIR") {
      self = .folder
    } else {
      self = .unknown
    }
  }
}

extension CommandOption {
  /// The completion for the value, or nil for a switch.
  package var completion: CompletionValue? { value.map { CompletionValue($0, words: words) } }
}

extension Command {
  /// The completion for the positional arguments, or nil if there are none.
  package var completion: CompletionValue? { arguments.map { CompletionValue($0, words: actions.map(\.name)) } }
}

/// The completions for bash 3.2 and later.
package struct BashCompletions {
  package let commands: [Command]

  package var lines: [String] {
    [
      "# bash completion for fetcher", "_fetcher() {",
      #"  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=demo words="#,
      "  COMPREPLY=()",
      #"  [ "$COMP_CWORD" -gt 1 ] && case ${COMP_WORDS[1]} in -*) ;; *) command=${COMP_WORDS[1]} ;; esac"#,
      #"  case "$command $before" in"#,
    ] + values + [
      "  esac", #"  case "$command" in"#,
    ] + commands.map(flags) + [
      "  esac",
      #"  if [ "$COMP_CWORD" -eq 1 ]; then"#,
      "    words=\"\(commands.map(\.name).joined(separator: " ")) help --version $words\"",
      "  elif [[ $word != -* ]]; then", #"    case "$command" in"#,
    ] + commands.map(arguments) + [
      "    esac", "  fi", #"  COMPREPLY=($(compgen -W "$words" -- "$word"))"#, "}", "complete -F _fetcher fetcher",
    ]
  }

  private var values: [String] {
    commands.flatMap { command in
      command.allOptions.compactMap { option in
        option.completion.map { #"    "\#(command.name) \#(option.name)") \#(reply($0)); return ;;"# }
      }
    }
  }

  private func flags(_ command: Command) -> String {
    "    \(command.name)) words=\"\(command.allOptions.map(\.name).joined(separator: " "))\" ;;"
  }

  private func arguments(_ command: Command) -> String {
    "      \(command.name)) \(reply(command.completion ?? .unknown)); return ;;"
  }

  private func reply(_ value: CompletionValue) -> String {
    switch value {
    case .words(let words): #"COMPREPLY=($(compgen -W "\#(words.joined(separator: " "))" -- "$word"))"#
    case .file: #"compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word"))"#
    case .folder: #"compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word"))"#
    case .unknown: ":"
    }
  }
}

package struct ZshCompletions {
  package let commands: [Command]

  package var lines: [String] {
    let names = commands.map { "    " + "\($0.name):\($0.summary)".shellQuoted }
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
      return "\(option.name)[\(escaped(option.help))]\(value)".shellQuoted
    }
    if let completion = command.completion {
      words.append("*:\(escaped(command.arguments ?? "")):\(action(completion))".shellQuoted)
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

package struct FishCompletions {
  package let commands: [Command]

  package var lines: [String] {
    let names = commands.map {
      "complete -c fetcher -n __fish_use_subcommand -a \($0.name) -d \($0.summary.shellQuoted)"
    }
    return ["# fish completion for fetcher", "complete -c fetcher -f"] + names + [
      "complete -c fetcher -n __fish_use_subcommand -l version -d 'the version of fetcher'"
    ] + commands.flatMap(words)
  }

  private func words(_ command: Command) -> [String] {
    let condition = "complete -c fetcher -n '__fish_seen_subcommand_from \(command.name)'"
    let options = command.allOptions.map { option in
      let value = option.completion.map { " -x\(offer($0))" } ?? ""
      return "\(condition) -l \(option.name.dropFirst(2))\(value) -d \(option.help.shellQuoted)"
    }
    return options + (command.completion.map { [condition + offer($0)] } ?? [])
  }

  private func offer(_ value: CompletionValue) -> String {
    switch value {
    case .words(let words): " -a \(words.joined(separator: " ").shellQuoted)"
    case .file: " -a '(__fish_complete_path)'"
    case .folder: " -a '(__fish_complete_directories)'"
    case .unknown: ""
    }
  }
}
