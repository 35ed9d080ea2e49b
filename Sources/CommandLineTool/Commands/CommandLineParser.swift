import PlainText

/// Parses the command line.
package struct CommandLineParser: Sendable {
  /// The parsed request.
  package enum Request: Sendable {
    case overview
    /// - Parameter isFull: whether the page lists every option.
    case help(Command, isFull: Bool = false)
    case version
    case run(Command, ParsedArguments)
  }

  package let commands: [Command]
  /// The command to run if the command line does not name one.
  package let fallback: Command

  package init(commands: [Command], fallback: Command) { (self.commands, self.fallback) = (commands, fallback) }

  /// - Throws: an error that describes the first invalid word, and suggests a similar word if there is one.
  package func parse(_ words: [String]) throws(UsageError) -> Request {
    guard let first = words.first else { return .run(fallback, ParsedArguments(of: fallback.allOptions)) }
    switch first {
    case CommandOption.help.name, "-h": return .overview
    case CommandOption.version.name: return .version
    case "help": return try help(words.dropFirst())
    case _ where first.hasPrefix("-"): return try parse(words[...], for: fallback)
    default: return try parse(words.dropFirst(), for: command(first))
    }
  }

  private func help(_ words: ArraySlice<String>) throws(UsageError) -> Request {
    guard let name = words.first else { return .overview }
    return .help(try command(name))
  }

  private func command(_ name: String) throws(UsageError) -> Command {
    if let command = commands.first(where: { $0.name == name }) { return command }
    if name.hasSuffix(".json"), commands.contains(where: { $0.name == "run" }) {
      let command = [ProgramName.shown, "run", name].map(\.shellQuoted).joined(separator: " ")
      throw UsageError("a command must precede \"\(name)\"; did you mean `\(command)`?")
    }
    if let meant = commands.first(where: { $0.foreignNames.contains(name) }) {
      throw UsageError("unknown command \"\(name)\"; \(Spelling.question(meant.name))")
    }
    throw .unknown("command", name, among: commands.filter { !$0.isHidden }.map(\.name) + ["help"])
  }

  private func parse(_ words: ArraySlice<String>, for command: Command) throws(UsageError) -> Request {
    var parsed = ParsedArguments(of: command.allOptions)
    var rest = words
    var takesOptions = true
    var list: (option: CommandOption, value: String)?
    while let word = rest.popFirst() {
      guard takesOptions, word.hasPrefix("-"), word != "-" else {
        if let (option, value) = list, option.words.contains(word) {
          let all = [value, word] + rest.prefix { option.words.contains($0) }
          throw UsageError("a list has commas, but no spaces: \(option.name) \(all.joined(separator: ","))")
        }
        list = nil
        parsed.arguments.append(word)
        continue
      }
      if word == "--" {
        takesOptions = false
      } else if word == CommandOption.help.name || word == "-h" {
        return .help(command)
      } else if word == CommandOption.helpAll.name, command.hasGroups {
        return .help(command, isFull: true)
      } else {
        let option = try parseOption(word, &rest, command, &parsed)
        list = option.value == "A,B" ? parsed[option].map { (option, $0) } : nil
      }
    }
    if command.arguments == nil, let extra = parsed.arguments.first {
      throw UsageError("\(command.name) takes no arguments, but got \"\(extra)\"")
    }
    if command.needsArguments, parsed.arguments.isEmpty {
      let form = command.arguments ?? "an argument"
      throw UsageError("\(command.name) needs \(form.hasSuffix("...") ? "at least one \(form.dropLast(3))" : form)")
    }
    return .run(command, parsed)
  }

  private func parseOption(
    _ word: String, _ rest: inout ArraySlice<String>, _ command: Command, _ parsed: inout ParsedArguments
  ) throws(UsageError) -> CommandOption {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = command.allOptions.first(where: { $0.name == parts[0] || $0.alias == parts[0] }) else {
      if let place = command.foreignFlags[parts[0]] { throw UsageError("there is no flag \(parts[0]); \(place)") }
      let owners = commands.filter { other in
        !other.isHidden && other.options.contains { $0.name == parts[0] || $0.alias == parts[0] }
      }
      if !owners.isEmpty {
        let names = owners.map { "`\(ProgramName.shown) \($0.name)`" }.listed(with: "and")
        throw UsageError("\(command.name) has no flag \(parts[0]), which belongs to \(names)")
      }
      throw .unknown("flag", parts[0], among: (command.allOptions + [.version]).map(\.name))
    }
    guard let placeholder = option.value else {
      guard parts.count == 1 else { throw UsageError("\(option.name) takes no value") }
      parsed.set(option, to: nil)
      return option
    }
    if parts.count == 2, !parts[1].isEmpty {
      parsed.set(option, to: parts[1])
    } else if parts.count == 1, let value = rest.first, Self.isValue(value) {
      parsed.set(option, to: value)
      rest = rest.dropFirst()
    } else {
      throw UsageError("\(option.name) needs a value: \(option.name) \(placeholder)")
    }
    return option
  }

  /// Returns whether the word is a value. A negative number is accepted, so that the error message can state the valid
  /// range.
  private static func isValue(_ word: String) -> Bool {
    !word.isEmpty && (!word.hasPrefix("-") || Int(word) != nil)
  }
}
