/// The state while a scenario is decoded: the steps so far.
struct Reading {
  let vocabulary: Vocabulary
  /// The required name of the scenario, or nil for any.
  let name: String?
  /// The reason why a file in the scenario cannot be served, or nil.
  let validateFile: @Sendable (String) -> FileProblem?
  private(set) var diagnostics: Diagnostics
  var declared = Declarations()
  /// The times of the decoded steps.
  var times = StepTimes()
  /// The possible events of the steps, or nil if the steps cannot be decoded, so that no event is called impossible.
  var reach: Reach?
  /// The header fields of answers and of steps.
  var headerLines: Set<String> = []
  private var expressions: [String: Regex<AnyRegexOutput>] = [:]
  private var fileProblems: [String: FileProblem?] = [:]

  init(
    _ diagnostics: Diagnostics, _ vocabulary: Vocabulary, name: String?,
    validateFile: @escaping @Sendable (String) -> FileProblem?
  ) {
    self.diagnostics = diagnostics
    self.vocabulary = vocabulary
    self.name = name
    self.validateFile = validateFile
  }

  /// Adds a problem.
  mutating func report(
    _ code: Diagnostic.Code, _ message: @autoclosure () -> String, at range: Range<Int>,
    _ advice: @autoclosure () -> String? = nil
  ) {
    diagnostics.report(code, message(), at: range, advice())
  }

  /// Adds an existing problem.
  mutating func report(_ problem: Diagnostic) {
    diagnostics.report(problem.code, problem.message, at: problem.range, problem.advice)
  }

  /// Whether more problems would add nothing. Slow checks can then be skipped.
  var isFull: Bool { diagnostics.isFull }

  /// Whether a regular expression matches a whole text. Each expression is compiled once per file.
  mutating func isWhole(_ text: String, like pattern: String) -> Bool {
    if expressions[pattern] == nil { expressions[pattern] = try? Regex(pattern) }
    return expressions[pattern].map { text.wholeMatch(of: $0) != nil } ?? false
  }

  /// The reason why a file cannot be served, or nil. Each name is checked on disk once.
  mutating func problem(ofFile name: String) -> FileProblem? {
    if let known = fileProblems[name] { return known }
    let problem = validateFile(name)
    fileProblems[name] = .some(problem)
    return problem
  }

  /// Returns the members of an object, or nil after a report if the node is not an object.
  mutating func object(_ node: JSONNode) -> JSONObject? {
    if case .object(let object) = node.content { return object }
    wrongKind(node, expected: "an object")
    return nil
  }

  /// Reports a value of an unexpected kind.
  mutating func wrongKind(_ node: JSONNode, expected: String) {
    if case .unreadable = node.content { return }
    report(.wrongValue, "expected \(expected), found \(node.kind)", at: node.range)
  }

  /// Reports an unknown key.
  mutating func unknownKey(_ key: String, among keys: [String], at range: Range<Int>) {
    report(
      .unknownKey, "unknown key \(quoted(key))", at: range,
      Spelling.hint(for: key, among: keys) ?? "the keys are \(listed(keys))")
  }
}

extension Diagnostic {
  /// Reports an unknown word. Returns nil for a known one.
  ///
  /// - Parameter meant: the known words for common other words.
  static func unknown(
    _ what: String, _ word: String, among words: [String], meant: [String: String] = [:], at range: Range<Int>
  ) -> Diagnostic? {
    if words.contains(word) { return nil }
    return Diagnostic(
      .wrongValue, "unknown \(what) \(quoted(word)); there are \(listed(words))", at: range,
      meant[word].map { Spelling.question($0) } ?? Spelling.hint(for: word, among: words))
  }

  /// Reports an expectation that cannot fail, or cannot hold.
  ///
  /// - Parameter verdict: `fail` or `hold`, whichever is impossible.
  static func pointless(never verdict: String, _ why: String, at range: Range<Int>, _ advice: String?) -> Diagnostic {
    Diagnostic(.pointlessExpectation, "an expectation that can never \(verdict): \(why)", at: range, advice)
  }
}

/// The declarations of a file. They are collected before decoding, so that a name may precede its declaration.
struct Declarations: Sendable {
  /// The ids of the images, or nil if one cannot be read, so that no image is called undeclared.
  var images: Names? = Names([])
  /// The ids of the steps, in order.
  var steps = Names([])
  /// The program of the steps.
  var program = Scenario.standardProgram

  init() {}

  init(_ root: JSONNode) {
    if let node = root["images"] {
      images = nil
      if case .list(let elements) = node.content {
        let ids = elements.map { $0["id"]?.word }
        if !ids.contains(nil) { images = Names(ids.compactMap(\.self)) }
      }
    }
    steps = Names(root["steps"]?.elements.compactMap { $0["id"]?.word } ?? [])
    if let name = root["program"]?.word { program = name }
  }
}

/// The reason why a file in a scenario cannot be served.
package struct FileProblem: Sendable, Equatable {
  package let message: String
  /// The remedy, in a few words.
  package let advice: String

  package init(message: String, advice: String) {
    self.message = message
    self.advice = advice
  }
}
