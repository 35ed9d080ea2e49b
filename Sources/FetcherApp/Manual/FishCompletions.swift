struct FishCompletions {
  let commands: [Command]

  var lines: [String] {
    let names = commands.map {
      "complete -c fetcher -n __fish_use_subcommand -a \($0.name) -d \(shellQuoted($0.summary))"
    }
    return ["# fish completion for fetcher", "complete -c fetcher -f"] + names + [
      "complete -c fetcher -n __fish_use_subcommand -l version -d 'the version of fetcher'"
    ] + commands.flatMap(words)
  }

  private func words(_ command: Command) -> [String] {
    let condition = "complete -c fetcher -n '__fish_seen_subcommand_from \(command.name)'"
    let options = command.allOptions.map { option in
      let value = option.completion.map { " -x\(offer($0))" } ?? ""
      return "\(condition) -l \(option.name.dropFirst(2))\(value) -d \(shellQuoted(option.help))"
    }
    return options + (command.completion.map { [condition + offer($0)] } ?? [])
  }

  private func offer(_ value: CompletionValue) -> String {
    switch value {
    case .words(let words): " -a \(shellQuoted(words.joined(separator: " ")))"
    case .file: " -a '(__fish_complete_path)'"
    case .folder: " -a '(__fish_complete_directories)'"
    case .unknown: ""
    }
  }
}
