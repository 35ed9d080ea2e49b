import Bytes
import Foundation

/// A flag of a command, with or without a value. A constant declares it with its help, and parsed arguments are read with the constant.
struct CommandOption: Sendable, Equatable {
  /// With its dashes: `--output`.
  let name: String
  /// What stands for the value in the help, or nil for a switch.
  let value: String?
  /// One line of help.
  let help: String
  /// Another spelling, which the help does not show.
  let alias: String?
  /// What the value can be, where that is known: shells offer it.
  let words: [String]

  /// A switch.
  init(_ name: String, _ help: String) { self.init(name, value: nil, help, alias: nil, words: []) }

  /// A flag with a value.
  init(_ name: String, _ value: String, _ help: String, alias: String? = nil, words: [String] = []) {
    self.init(name, value: value, help, alias: alias, words: words)
  }

  private init(_ name: String, value: String?, _ help: String, alias: String?, words: [String]) {
    self.name = name
    self.value = value
    self.help = help
    self.alias = alias
    self.words = words
  }

  /// The same flag with the help of another command.
  func saying(_ help: String) -> CommandOption {
    CommandOption(name, value: value, help, alias: alias, words: words)
  }

  static let noColor = CommandOption("--no-color", "plain text, also on a terminal (as does NO_COLOR)")
  static let help = CommandOption("--help", "this text")
  /// Of the executable, not of a command.
  static let version = CommandOption("--version", "the version of fetcher")

  /// The flags of every command.
  static let common = [noColor, help]
}

/// The arguments that the user gave to one command.
struct ParsedArguments: Sendable, Equatable {
  /// Plain arguments, in order.
  var arguments: [String] = []
  private let declared: [CommandOption]
  private var values: [String: String] = [:]
  private var switches: Set<String> = []

  /// - Parameter declared: the flags of the command, the only ones that it can read.
  init(of declared: [CommandOption]) { self.declared = declared }

  /// Stores a flag. If a flag is given twice, the last value counts.
  mutating func set(_ option: CommandOption, to value: String?) {
    if let value { values[option.name] = value } else { switches.insert(option.name) }
  }

  /// Whether the flag was given, with its value if it has one.
  func has(_ option: CommandOption) -> Bool {
    require(option)
    return switches.contains(option.name) || values[option.name] != nil
  }

  /// Traps on a flag that the command does not list, because it would never be found.
  private func require(_ option: CommandOption) {
    let isDeclared = declared.contains { $0.name == option.name && ($0.value == nil) == (option.value == nil) }
    precondition(isDeclared, "Internal inconsistency: the command does not declare \(option.name)")
  }

  /// The output format among several flags; nil if none was given.
  ///
  /// - Throws: a usage error if more than one was given.
  func shape(of command: String, _ flags: [CommandOption]) throws(UsageError) -> CommandOption? {
    let given = flags.filter(has)
    guard given.count < 2 else {
      throw UsageError("\(command) prints one of \(given.map(\.name).joined(separator: " and ")), not both")
    }
    return given.first
  }

  /// The value of a flag, if it was given.
  subscript(option: CommandOption) -> String? {
    precondition(option.value != nil, "Internal inconsistency: the switch \(option.name) has no value")
    require(option)
    return values[option.name]
  }

  /// The value of a flag as a whole number.
  ///
  /// - Throws: a usage error if the value is not a number, or outside the range.
  func number(_ option: CommandOption, in range: ClosedRange<Int>, or fallback: Int) throws(UsageError) -> Int {
    try number(option, in: range) ?? fallback
  }

  /// The same, or nil if the flag was not given.
  func number(_ option: CommandOption, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = self[option] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "\(option.name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
    }
    return number
  }

  /// The words of a list with commas. An address with credentials stays whole, so that an error about it can leave them out.
  static func words(_ text: String) -> [String] {
    Credentials(in: text).ranges.isEmpty ? text.split(separator: ",").map(String.init) : [text]
  }

  /// The words of a flag whose value is a list with commas, each one of `words`.
  func list(_ option: CommandOption, of words: [String], or fallback: [String]) throws(UsageError) -> [String] {
    guard let text = self[option] else { return fallback }
    let list = Self.words(text)
    guard !list.isEmpty else { throw UsageError("\(option.name) needs at least one name") }
    for word in list where !words.contains(word) {
      throw UsageError.unknown("strategy", word, among: words)
    }
    var known: Set<String> = []
    for word in list where !known.insert(word).inserted {
      throw UsageError("\(option.name) has \"\(word)\" twice; give each name once")
    }
    return list
  }
}
