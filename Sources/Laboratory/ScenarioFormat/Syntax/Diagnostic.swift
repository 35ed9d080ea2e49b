/// A problem in a scenario file.
package struct Diagnostic: Sendable, Equatable {
  /// The kind of problem, as a permanent number that users can look up.
  package enum Code: String, Sendable, CaseIterable {
    case syntax = "E01"
    case unknownKey = "E07"
    case duplicate = "E09"
    case trailingComma = "E10"
    case durationWithoutUnit = "E14"
    case wrongValue = "E15"
    case unknownStep = "E21"
    case timeGoesBackwards = "E22"
    case undeclaredImage = "E23"
    case missing = "E24"
    case pointlessExpectation = "E31"
    case exactExploration = "W02"
    case unusedRoute = "W03"
    case unseenView = "W04"
    case unknownIndex = "W05"
    case placeholderCounts = "W06"
    case emptyPattern = "W07"

    /// Whether the problem is only a warning, so that the file is still usable.
    var isWarning: Bool { rawValue.hasPrefix("W") }
  }

  package let code: Code
  package let message: String
  /// The range of bytes in which the problem occurs.
  package let range: Range<Int>
  /// A short description of the remedy.
  package let advice: String?

  init(_ code: Code, _ message: String, at range: Range<Int>, _ advice: String? = nil) {
    self.code = code
    self.message = message
    self.range = range
    self.advice = advice
  }
}

/// Collects the problems in a file.
package struct Diagnostics: Sendable {
  /// The maximum number of problems to print. The parser stops when it has reported the maximum.
  package static let most = 20
  /// The maximum number of errors to keep. The same limit applies to warnings. More errors would not be useful, and
  /// creating their messages takes time.
  private static let maximumKept = 100

  private var found: [Diagnostic] = []
  /// The places with an odd number of quotes up to the end of the line, each with its line.
  private var unclosed: [(start: Int, line: Range<Int>)] = []
  /// The brackets without a partner, in the order of the parser, each with the place of its message and of the opening
  /// bracket.
  private var unmatched: [(message: Range<Int>, opening: Int)] = []

  /// All problems, in file order. Where a quote or a bracket is missing, the problems after it are consequences.
  package var all: [Diagnostic] {
    let problems = withMissingQuotes
    guard let bracket = unmatched.first else { return problems }
    // A bracket has no partner if the partner seems to be part of a string.
    let end = bracket.message.lowerBound > bracket.opening ? bracket.message.lowerBound : Int.max
    let lacksQuote = unclosed.contains { $0.line.overlaps(bracket.opening..<end) }
    return problems.filter { one in
      // A key can seem to be missing because it is after the bracket.
      if one.range.lowerBound < bracket.opening { return one.code != .missing }
      if !lacksQuote { return one.code == .syntax && one.range == bracket.message }
      let isInLine = unclosed.contains { $0.line.contains(one.range.lowerBound) }
      return isInLine && !unmatched.contains { $0.message == one.range }
    }
  }

  /// All problems, except those that follow from a missing quote in the same line.
  private var withMissingQuotes: [Diagnostic] {
    let sorted = found.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    .map(\.element)
    return unclosed.reduce(sorted) { all, string in
      let line = all.filter { string.line.contains($0.range.lowerBound) }
      // Without an earlier problem, the string itself lacks the quote.
      let earlier = line.filter { $0.code == .syntax && $0.range.lowerBound < string.start }
      guard let first = earlier.first(where: { one in !unmatched.contains { $0.message == one.range } }),
        let last = line.last
      else { return all }
      let cause = Diagnostic(
        .syntax, "a quote is missing in this line", at: first.range.lowerBound..<last.range.upperBound,
        "close the string before this with a quote")
      return all.compactMap { one in
        one == first ? cause : string.line.contains(one.range.lowerBound) ? nil : one
      }
    }
  }

  /// The number of problems that were kept.
  package var count: Int { found.count }

  /// The number of errors that were reported, whether or not they were kept.
  private(set) var errorCount = 0
  private var warningCount = 0

  /// Whether further errors are counted but no longer kept.
  var isFull: Bool { errorCount >= Self.maximumKept }

  /// Whether the file is unusable.
  var hasErrors: Bool { errorCount > 0 }

  /// Adds a string without its second quote. An earlier string of the line can have caused it.
  mutating func reportUnclosedString(at range: Range<Int>, lineStart: Int) {
    report(.syntax, "the string is not closed on its line", at: range, "close it with a quote")
    noteOddQuotes(at: range, lineStart: lineStart)
  }

  /// Adds the rest of a line that has an odd number of quotes. If there is an earlier problem in this line, a quote is
  /// missing there.
  mutating func noteOddQuotes(at range: Range<Int>, lineStart: Int) {
    // Each place is compared with all kept problems, so a hostile file must not add many.
    guard !isFull else { return }
    unclosed.append((range.lowerBound, lineStart..<range.upperBound))
  }

  /// Adds a bracket without a partner, which opens at an index.
  mutating func reportUnmatched(_ message: String, at range: Range<Int>, opening: Int, _ advice: String) {
    report(.syntax, message, at: range, advice)
    unmatched.append((range, opening))
  }

  /// Adds a problem. The message is normally evaluated only if the problem is kept.
  package mutating func report(
    _ code: Diagnostic.Code, _ message: @autoclosure () -> String, at range: Range<Int>,
    _ advice: @autoclosure () -> String? = nil
  ) {
    let count = code.isWarning ? warningCount : errorCount
    // A problem in a repeated step is reported only once.
    if let last = found.last, last.code == code, last.range == range, last.message == message() { return }
    if code.isWarning { warningCount += 1 } else { errorCount += 1 }
    guard count < Self.maximumKept else { return }
    found.append(Diagnostic(code, message(), at: range, advice()))
  }
}
