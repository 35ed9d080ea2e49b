/// What is known while a scenario is read: of its steps, as far as they have been read.
struct Reading {
  let vocabulary: Vocabulary
  /// What the scenario must be called; nil for anything.
  let name: String?
  /// Why a file that the scenario names cannot be served; nil if it can.
  let validateFile: @Sendable (String) -> FileProblem?
  private(set) var diagnostics: Diagnostics
  var declared = Declarations()
  /// The times of the steps that were read.
  var times = StepTimes()
  /// What the steps can lead to; nil if they cannot be read, so that nothing is called impossible.
  var reach: Reach?
  /// The header fields that answers have, or that steps let fetches send.
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

  /// Adds a problem that was found.
  mutating func report(_ problem: Diagnostic) {
    diagnostics.report(problem.code, problem.message, at: problem.range, problem.advice)
  }

  /// Whether nothing is left to be learned of this file: what would take time may be left out.
  var isFull: Bool { diagnostics.isFull }

  /// Whether the whole of a text is like a regular expression. Each expression is compiled once for a file.
  mutating func isWhole(_ text: String, like pattern: String) -> Bool {
    if expressions[pattern] == nil { expressions[pattern] = try? Regex(pattern) }
    return expressions[pattern].map { text.wholeMatch(of: $0) != nil } ?? false
  }

  /// Why a file cannot be served; nil if it can. The disk is asked once for each name.
  mutating func problem(ofFile name: String) -> FileProblem? {
    if let known = fileProblems[name] { return known }
    let problem = validateFile(name)
    fileProblems[name] = .some(problem)
    return problem
  }

  /// The members of an object. Nil after a report, if the node is not an object.
  mutating func object(_ node: JSONNode) -> JSONObject? {
    if case .object(let object) = node.content { return object }
    wrongKind(node, expected: "an object")
    return nil
  }

  /// A value of another kind than the one expected.
  mutating func wrongKind(_ node: JSONNode, expected: String) {
    if case .unreadable = node.content { return }
    report(.wrongValue, "expected \(expected), found \(node.kind)", at: node.range)
  }

  /// A key that does not belong here.
  mutating func unknownKey(_ key: String, among keys: [String], at range: Range<Int>) {
    report(
      .unknownKey, "unknown key \(quoted(key))", at: range,
      Spelling.hint(for: key, among: keys) ?? "there are \(listed(keys))")
  }
}

extension Diagnostic {
  /// A word that is none of the known ones; nil for one that is.
  ///
  /// - Parameter meant: what is meant by words that people write instead.
  static func unknown(
    _ what: String, _ word: String, among words: [String], meant: [String: String] = [:], at range: Range<Int>
  ) -> Diagnostic? {
    if words.contains(word) { return nil }
    return Diagnostic(
      .wrongValue, "unknown \(what) \(quoted(word)); there are \(listed(words))", at: range,
      meant[word].map { Spelling.question($0) } ?? Spelling.hint(for: word, among: words))
  }

  /// An expectation that says nothing.
  ///
  /// - Parameter verdict: `fail` or `hold`, whichever it never does.
  static func pointless(never verdict: String, _ why: String, at range: Range<Int>, _ advice: String?) -> Diagnostic {
    Diagnostic(.pointlessExpectation, "an expectation that can never \(verdict): \(why)", at: range, advice)
  }
}

/// What a file declares. It is found before anything is decoded, so that a name may stand before its declaration.
struct Declarations: Sendable {
  /// The ids of the images; nil where one cannot be read, so that nobody is called undeclared.
  var images: Names? = Names([])
  /// The ids of the steps, in their order.
  var steps = Names([])
  /// The program that takes the steps.
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

/// Why a file that a scenario names cannot be served.
package struct FileProblem: Sendable, Equatable {
  package let message: String
  /// What to do about it, in a few words.
  package let advice: String

  package init(message: String, advice: String) {
    self.message = message
    self.advice = advice
  }
}
