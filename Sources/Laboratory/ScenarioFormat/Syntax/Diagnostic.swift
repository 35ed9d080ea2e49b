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

  /// Whether the problem is about its line alone. A bracket that is not closed is about the rest of the file.
  fileprivate var isInLine: Bool { !message.hasSuffix("is not closed") }

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
  /// The strings without a second quote, each with its line.
  private var unclosed: [(start: Int, line: Range<Int>)] = []

  /// All problems, in file order. In a line in which a quote is missing, every other problem is a consequence.
  package var all: [Diagnostic] {
    let sorted = found.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    .map(\.element)
    return unclosed.reduce(sorted) { all, string in
      let line = all.filter { string.line.contains($0.range.lowerBound) }
      // Without an earlier problem, the string itself lacks the quote.
      guard let first = line.first(where: { $0.code == .syntax && $0.range.lowerBound < string.start && $0.isInLine }),
        let last = line.last
      else { return all }
      let cause = Diagnostic(
        .syntax, "a quote is missing in this line", at: first.range.lowerBound..<last.range.upperBound,
        "close the string before this with a quote")
      return all.compactMap { one in
        one == first ? cause : string.line.contains(one.range.lowerBound) && one.isInLine ? nil : one
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
    unclosed.append((range.lowerBound, lineStart..<range.upperBound))
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
