import Foundation
import PlainText

/// A command's flag, with or without a value. Each flag is a constant that includes its help text, and code looks up
/// parsed arguments with that constant.
package struct CommandOption: Sendable, Equatable {
  /// The name, including its dashes: `--output`.
  package let name: String
  /// The placeholder for the value in the help text, or nil for a switch.
  package let value: String?
  package let help: String
  /// An alternative spelling that the help text does not list.
  package let alias: String?
  /// The possible values, if they are known. Shell completions suggest them.
  package let words: [String]
  /// The group under which only `--help-all` lists the flag, or nil if `--help` lists it as well.
  package private(set) var group: String?

  /// Creates a switch.
  package init(_ name: String, _ help: String, alias: String? = nil) {
    self.init(name, value: nil, help, alias: alias, words: [])
  }

  /// Creates a flag with a value.
  package init(_ name: String, _ value: String, _ help: String, alias: String? = nil, words: [String] = []) {
    self.init(name, value: value, help, alias: alias, words: words)
  }

  private init(_ name: String, value: String?, _ help: String, alias: String?, words: [String]) {
    self.name = name
    self.value = value
    self.help = help
    self.alias = alias
    self.words = words
  }

  /// Returns a copy of the flag with help text for another command.
  package func saying(_ help: String) -> CommandOption {
    CommandOption(name, value: value, help, alias: alias, words: words)
  }

  /// Returns a copy of the flag that belongs to a group.
  package func grouped(_ group: String) -> CommandOption {
    var option = self
    option.group = group
    return option
  }

  package static let noColor = CommandOption("--no-color", "plain text, even on a terminal (like NO_COLOR)")
  package static let help = CommandOption("--help", "this text")
  /// An option of the commands that have groups of flags.
  package static let helpAll = CommandOption("--help-all", "show all flags of the command")
  /// An option of the executable itself, not of a command.
  package static let version = CommandOption("--version", "the version of fetcher")

  package static let common = [noColor, help]
}

/// The parsed arguments of one command.
package struct ParsedArguments: Sendable, Equatable {
  /// The positional arguments, in order.
  package var arguments: [String] = []
  private let declared: [CommandOption]
  private var values: [String: String] = [:]
  private var switches: Set<String> = []

  /// - Parameter declared: the command's flags. Only the values of these flags can be looked up.
  package init(of declared: [CommandOption]) { self.declared = declared }

  /// Stores a flag. If a flag is given more than once, the last value wins.
  package mutating func set(_ option: CommandOption, to value: String?) {
    if let value { values[option.name] = value } else { switches.insert(option.name) }
  }

  /// Returns whether the flag was given.
  package func has(_ option: CommandOption) -> Bool {
    require(option)
    return switches.contains(option.name) || values[option.name] != nil
  }

  /// Traps if the command does not declare the flag, because the parser would never store a value for it.
  private func require(_ option: CommandOption) {
    let isDeclared = declared.contains { $0.name == option.name && ($0.value == nil) == (option.value == nil) }
    precondition(isDeclared, "Internal inconsistency: the command does not declare \(option.name)")
  }

  /// Returns the requested output format, or nil if no format flag was given.
  ///
  /// - Throws: a usage error if several formats were given.
  package func shape(of command: String, _ flags: [CommandOption]) throws(UsageError) -> CommandOption? {
    let given = flags.filter(has)
    guard given.count < 2 else {
      let names = given.map(\.name).listed(with: "or")
      throw UsageError("\(command) accepts \(names), not \(given.count == 2 ? "both" : "several of them")")
    }
    return given.first
  }

  /// Returns the value of a flag, or nil if the flag was not given.
  package subscript(option: CommandOption) -> String? {
    precondition(option.value != nil, "Internal inconsistency: the switch \(option.name) has no value")
    require(option)
    return values[option.name]
  }

  /// Returns the value of a flag as an integer.
  ///
  /// - Throws: a usage error if the value is not a number or is outside the range.
  package func number(_ option: CommandOption, in range: ClosedRange<Int>, or fallback: Int) throws(UsageError) -> Int {
    try number(option, in: range) ?? fallback
  }

  package func number(_ option: CommandOption, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = self[option] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let limits =
        range.upperBound == .max ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      let kind = option.value == "SECONDS" ? "a whole number of seconds" : "a whole number"
      throw UsageError("\(option.name) takes \(kind) \(limits), not \"\(text)\"")
    }
    return number
  }

  /// Splits a comma-separated list. A list with a URL that contains credentials is not split, so that an error message
  /// can omit the credentials.
  package static func words(_ text: String) -> [String] {
    Credentials(in: Array(text.utf8)).ranges.isEmpty ? text.split(separator: ",").map(String.init) : [text]
  }

  /// Returns the elements of a comma-separated value. Each element must be one of `words`.
  package func list(_ option: CommandOption, of words: [String], or fallback: [String]) throws(UsageError) -> [String] {
    guard let text = self[option] else { return fallback }
    let list = Self.words(text)
    guard !list.isEmpty else { throw UsageError("\(option.name) needs at least one name") }
    for word in list where !words.contains(word) {
      throw UsageError.unknown("strategy", word, among: words)
    }
    var known: Set<String> = []
    for word in list where !known.insert(word).inserted {
      throw UsageError("\(option.name) lists \"\(word)\" twice; list each name once")
    }
    return list
  }
}
