import ScenarioFormat

/// Finds constructs that a lesson's solution must not use, because they bypass the runtime, or wait instead of
/// enforcing an order.
enum ForbiddenCalls {
  /// The constructs that a repair may use.
  static func allowed(isPlain: Bool) -> String { isPlain ? plain : runtime }

  private static let plain = "`Task { }`, task groups, actors, `@MainActor`, `AsyncStream`, `Task.sleep`, and `Mutex`"
  private static let runtime =
    "`runtime.main.schedule { }`, `runtime.workers.schedule { }`, `runtime.main.schedule(after: .seconds(1)) { }`, `runtime.task { }`"

  /// Returns a description of the first forbidden call and its line, or nil if the code is allowed.
  ///
  /// - Parameter isPlain: whether the lesson is plain Swift, where tasks are allowed.
  static func complaint(in code: String, isPlain: Bool = false) -> String? {
    // The first alternative is allowed: a function or a property whose type is a task. It has no capture.
    let tasks =
      /(?:->|\bvar\s+\w+\s*:)\s*Task\s*<(?:[^<>{}]|<[^<>{}]*>)*>\s*\{|(\bTask\s*(?:<(?:[^<>{}]|<[^<>{}]*>)*>\s*)?(?:[({]|\.\s*(?:init|detached|immediate|immediateDetached|sleep)\b))/
      .wordBoundaryKind(.simple).matchingSemantics(.unicodeScalar)
    // The first alternative is allowed, or one of the tasks above. Attributes with an underscore, and those that place symbols, reach around the language.
    let others =
      /\bTask\s*\.\s*sleep\b|(\bwithLockIfAvailable\b|\b(?:u|nano)?sleep\s*\(|\b_?exit\s*\(|\bDispatch(?:Queue|Semaphore|Group)\b|\bThread\b|\bOperationQueue\b|@(?:_\w+|section|used|c)\b|\bimport\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(?:Dispatch|Foundation\w*|Glibc|Musl|Darwin|ScheduleExplorer|VirtualTime)\b)/
      .wordBoundaryKind(.simple).matchingSemantics(.unicodeScalar)
    // It hides data races from the compiler, and the search finds none.
    let races = /(\bnonisolated\s*\(\s*unsafe\s*\))/.wordBoundaryKind(.simple).matchingSemantics(.unicodeScalar)
    let bare = SwiftCode(code).withoutTexts
    let task = isPlain ? nil : bare.matches(of: tasks).lazy.compactMap(\.output.1).first
    let race = bare.firstMatch(of: races)?.output.1
    let calls = [task, bare.matches(of: others).lazy.compactMap(\.output.1).first, race]
    guard let call = calls.compactMap(\.self).min(by: { $0.startIndex < $1.startIndex }) else { return nil }
    let line = SourceText(path: "", bytes: Array(bare.utf8))
      .position(of: bare.utf8.distance(from: bare.startIndex, to: call.startIndex)).line
    let name = call.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if call == race {
      return "line \(line) uses `\(name)`, which hides data races from the compiler, and the judge cannot find them. "
        + "Instead, use `Mutex` or an actor"
    }
    return isPlain
      ? "line \(line) uses `\(name)`, which the search does not control. Instead, use \(allowed(isPlain: true))"
      : "line \(line) uses `\(name)`, which the runtime does not control. Instead, use the runtime: \(allowed(isPlain: false))"
  }
}

/// Swift code in which comments and the texts of string literals can be blanked.
struct SwiftCode {
  private var bytes: [UInt8]
  private var index = 0

  init(_ code: String) { bytes = Array(code.utf8) }

  /// The code with a space in place of each byte of a comment or of a text in a string literal, so that all other bytes
  /// keep their positions. The code in interpolations stays.
  var withoutTexts: String {
    var code = self
    code.skipCode(toParenthesis: false)
    return String(decoding: code.bytes, as: UTF8.self)
  }

  /// Skips code to its end, or to the closing parenthesis of an interpolation.
  private mutating func skipCode(toParenthesis: Bool) {
    var depth = 0
    while index < bytes.count {
      if isNext("//") {
        while index < bytes.count, !isLineBreak { blank(1) }
      } else if isNext("/*") {
        blankComment()
      } else if let quote = quote() {
        blankText(after: quote)
      } else {
        if isNext("(") { depth += 1 }
        if isNext(")") { depth -= 1 }
        if toParenthesis, depth < 0 { return }
        index += 1
      }
    }
  }

  /// Blanks a comment that starts with `/*`. Such comments can be nested.
  private mutating func blankComment() {
    var depth = 0
    repeat {
      if isNext("/*") {
        depth += 1
        blank(2)
      } else if isNext("*/") {
        depth -= 1
        blank(2)
      } else {
        blank(1)
      }
    } while depth > 0 && index < bytes.count
  }

  /// Returns the delimiter of the string literal that starts here, such as `"`, `"""` or `#"`.
  private func quote() -> String? {
    let hashes = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
    let quote = isNext("\"\"\"", after: hashes) ? "\"\"\"" : isNext("\"", after: hashes) ? "\"" : nil
    return quote.map { String(repeating: "#", count: hashes) + $0 }
  }

  private mutating func blankText(after quote: String) {
    let hashes = String(quote.prefix { $0 == "#" })
    let end = String(quote.dropFirst(hashes.count)) + hashes
    index += quote.utf8.count
    while index < bytes.count, !isNext(end) {
      if isNext("\\" + hashes + "(") {
        index += hashes.utf8.count + 2
        skipCode(toParenthesis: true)
        index += 1
      } else if isNext("\\" + hashes) {
        blank(hashes.utf8.count + 2)
      } else if isLineBreak, !quote.hasSuffix("\"\"\"") {
        return
      } else {
        blank(1)
      }
    }
    index += end.utf8.count
  }

  private func isNext(_ text: String, after skipped: Int = 0) -> Bool {
    bytes[index...].dropFirst(skipped).starts(with: text.utf8)
  }

  private var isLineBreak: Bool { bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\r") }

  private mutating func blank(_ count: Int) {
    for _ in 0..<count where index < bytes.count {
      if !isLineBreak { bytes[index] = UInt8(ascii: " ") }
      index += 1
    }
  }
}
