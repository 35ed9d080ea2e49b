/// The completions for bash 3.2 and later.
struct BashCompletions {
  let commands: [Command]

  var lines: [String] {
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
