import Bytes
import Foundation

/// What the user gave to one command.
struct ParsedArguments: Sendable, Equatable {
  /// Plain arguments, in order.
  var arguments: [String] = []
  private var values: [String: String] = [:]
  private var switches: Set<String> = []

  /// Remembers a flag. Given twice, the last value counts.
  mutating func set(_ option: CommandOption, to value: String?) {
    if let value { values[option.name] = value } else { switches.insert(option.name) }
  }

  /// Whether the switch was given.
  func has(_ name: String) -> Bool { switches.contains(name) }

  /// In which of several shapes a command prints its results; nil for none of them.
  ///
  /// - Throws: a usage error where more than one was asked for.
  func shape(of command: String, _ flags: [String]) throws(UsageError) -> String? {
    let given = flags.filter(has)
    guard given.count < 2 else {
      throw UsageError("\(command) prints one of \(given.joined(separator: " and ")), not both")
    }
    return given.first
  }

  /// The value of a flag, if it was given.
  subscript(name: String) -> String? { values[name] }

  /// The value of a flag as a whole number.
  ///
  /// - Throws: a usage error if the value is no number, or outside the range.
  func number(_ name: String, in range: ClosedRange<Int>, or fallback: Int) throws(UsageError) -> Int {
    try number(name, in: range) ?? fallback
  }

  /// The same; nil where the flag was not given.
  func number(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError("\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
    }
    return number
  }

  /// The words of a list with commas. An address with credentials stays whole, so that an error about it can leave them out.
  static func words(_ text: String) -> [String] {
    Credentials(in: text).ranges.isEmpty ? text.split(separator: ",").map(String.init) : [text]
  }

  /// The words of a flag whose value is a list with commas, each one of `words`.
  func list(_ name: String, of words: [String], or fallback: [String]) throws(UsageError) -> [String] {
    guard let text = values[name] else { return fallback }
    let list = Self.words(text)
    guard !list.isEmpty else { throw UsageError("\(name) needs at least one name") }
    for word in list where !words.contains(word) {
      throw UsageError.unknown("strategy", word, among: words)
    }
    var known: Set<String> = []
    for word in list where !known.insert(word).inserted {
      throw UsageError("\(name) has \"\(word)\" twice; give each name once")
    }
    return list
  }
}
