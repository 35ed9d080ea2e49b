/// One thing that is wrong with a scenario file.
package struct Diagnostic: Sendable, Equatable {
  /// What kind of thing, as its number and for good: users look these numbers up.
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

    /// Whether the file can be used all the same.
    var isWarning: Bool { rawValue.hasPrefix("W") }
  }

  package let code: Code
  package let message: String
  /// The bytes that are meant.
  package let range: Range<Int>
  /// What to do about it, in a few words.
  package let advice: String?

  init(_ code: Code, _ message: String, at range: Range<Int>, _ advice: String? = nil) {
    self.code = code
    self.message = message
    self.range = range
    self.advice = advice
  }
}

/// What was found wrong with a file, in the order of the file.
package struct Diagnostics: Sendable {
  /// How many are shown; reading the syntax stops after as many.
  package static let most = 20
  /// How many errors are kept, and how many warnings. More say nothing new, and their texts take time.
  private static let mostKept = 100

  private var found: [Diagnostic] = []

  /// Everything that was found, in the order of the file.
  package var all: [Diagnostic] {
    found.enumerated().sorted { ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset) }
      .map(\.element)
  }

  /// How many there are.
  package var count: Int { found.count }

  /// How many errors were reported, kept or not.
  private(set) var errorCount = 0
  private var warningCount = 0

  /// Whether further errors are not kept: nothing is left to be learned of this file.
  var isFull: Bool { errorCount >= Self.mostKept }

  /// Whether the file cannot be used.
  var hasErrors: Bool { errorCount > 0 }

  /// Adds one. Its text is made only if it is kept.
  package mutating func report(
    _ code: Diagnostic.Code, _ message: @autoclosure () -> String, at range: Range<Int>,
    _ advice: @autoclosure () -> String? = nil
  ) {
    let count = code.isWarning ? warningCount : errorCount
    // A step that is done many times is wrong once.
    if let last = found.last, last.code == code, last.range == range, last.message == message() { return }
    if code.isWarning { warningCount += 1 } else { errorCount += 1 }
    guard count < Self.mostKept else { return }
    found.append(Diagnostic(code, message(), at: range, advice()))
  }
}
