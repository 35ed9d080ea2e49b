import PlainText

/// The state that is kept while a scenario is being decoded.
struct Reading {
  let vocabulary: Vocabulary
  /// The text of the file, for the line of another place in a message.
  private let source: SourceText
  /// The required name of the scenario, or nil if any name is allowed.
  let name: String?
  /// A closure that returns the reason why a file in the scenario cannot be served, or nil.
  let validateFile: @Sendable (String) -> FileProblem?
  private(set) var diagnostics: Diagnostics
  var declared = Declarations()
  /// The times of the steps that have been decoded so far.
  var times = StepTimes()
  /// The events that the steps make possible. Nil if the steps cannot be decoded, so that no event is reported as
  /// impossible.
  var reach: Reachability?
  /// The header fields in responses and in steps.
  var headerLines: Set<String> = []
  private var expressions: [String: Regex<AnyRegexOutput>] = [:]
  private var fileProblems: [String: FileProblem?] = [:]

  init(
    _ source: SourceText, _ diagnostics: Diagnostics, _ vocabulary: Vocabulary, name: String?,
    validateFile: @escaping @Sendable (String) -> FileProblem?
  ) {
    self.source = source
    self.diagnostics = diagnostics
    self.vocabulary = vocabulary
    self.name = name
    self.validateFile = validateFile
  }

  /// Reports a problem.
  mutating func report(
    _ code: Diagnostic.Code, _ message: @autoclosure () -> String, at range: Range<Int>,
    _ advice: @autoclosure () -> String? = nil
  ) {
    diagnostics.report(code, message(), at: range, advice())
  }

  /// Reports an existing diagnostic.
  mutating func report(_ problem: Diagnostic) {
    diagnostics.report(problem.code, problem.message, at: problem.range, problem.advice)
  }

  /// Returns the number of the line in which a range begins.
  func line(of range: Range<Int>) -> Int { source.position(of: range.lowerBound).line }

  /// Whether enough problems have been reported. If so, slow validations can be skipped.
  var isFull: Bool { diagnostics.isFull }

  /// Returns whether a regular expression matches the entire string. Each expression is compiled only once per file.
  mutating func isWhole(_ text: String, like pattern: String) -> Bool {
    if expressions[pattern] == nil { expressions[pattern] = try? Regex(pattern) }
    return expressions[pattern].map { text.wholeMatch(of: $0) != nil } ?? false
  }

  /// Returns the reason why a file cannot be served, or nil. Each name is looked up on disk only once.
  mutating func problem(ofFile name: String) -> FileProblem? {
    if let known = fileProblems[name] { return known }
    let problem = validateFile(name)
    fileProblems[name] = .some(problem)
    return problem
  }

  /// Returns the members of an object. If the node is not an object, reports this and returns nil.
  mutating func object(_ node: JSONNode) -> JSONObject? {
    if case .object(let object) = node.content { return object }
    wrongKind(node, expected: "an object")
    return nil
  }

  /// Reports a value of an unexpected kind.
  mutating func wrongKind(_ node: JSONNode, expected: String, _ advice: @autoclosure () -> String? = nil) {
    if case .unreadable = node.content { return }
    report(.wrongValue, "expected \(expected), found \(node.kind)", at: node.range, advice())
  }
}

extension Diagnostic {
  /// Returns the diagnostic for an unknown word, or nil if the word is known.
  ///
  /// - Parameters:
  ///   - meant: known words, keyed by their common synonyms.
  ///   - advice: the advice for words that have no synonym, but a replacement.
  static func unknown(
    _ what: String, _ word: String, among words: [String], meant: [String: String] = [:],
    advice: [String: String] = [:], at range: Range<Int>
  ) -> Diagnostic? {
    if words.contains(word) { return nil }
    let known = words.count == 1 ? "the only \(what) is \(quoted(words[0]))" : "choose from \(listed(words))"
    return Diagnostic(
      .wrongValue, "unknown \(what) \(quoted(word)); \(known)", at: range,
      advice[word] ?? meant[word].map { Spelling.question($0) } ?? Spelling.hint(for: word, among: words))
  }

  /// Returns the diagnostic for an expectation that cannot fail, or that cannot hold.
  ///
  /// - Parameter verdict: the impossible outcome: `fail` or `hold`.
  static func pointless(never verdict: String, _ why: String, at range: Range<Int>, _ advice: String?) -> Diagnostic {
    Diagnostic(.pointlessExpectation, "an expectation that can never \(verdict): \(why)", at: range, advice)
  }
}

/// The declarations of a file. They are collected before decoding, so that a name can be used before it is declared.
struct Declarations: Sendable {
  /// The ids of the images. Nil if one of them cannot be read, so that no image is reported as undeclared.
  var images: Names? = Names([])
  /// The ids of the steps, in order.
  var steps = Names([])
  /// The program that performs the steps.
  var program = Scenario.standardProgram

  /// The id of an image, for use in examples.
  var exampleImage: String { images?.list.first ?? "A" }

  init() {}

  init(images: [String], program: String) {
    self.images = Names(images)
    self.program = program
  }

  init(_ root: JSONNode) {
    if let node = root["images"] {
      images = nil
      if case .list(let elements) = node.content {
        let ids = elements.map { $0["id"]?.word }
        if !ids.contains(nil) { images = Names(ids.compactMap(\.self)) }
      }
    } else if case .object(let object) = root.content,
      object.members.contains(where: { Spelling.nearest(to: $0.key, among: ["images"]) != nil })
    {
      // The misspelled key is reported once, rather than each of its images.
      images = nil
    }
    steps = Names(root["steps"]?.elements.compactMap { $0["id"]?.word } ?? [])
    if let name = root["program"]?.word { program = name }
  }
}

/// The reason why a file in a scenario cannot be served.
package struct FileProblem: Sendable, Equatable {
  package let message: String
  /// A short description of the remedy.
  package let advice: String

  package init(message: String, advice: String) {
    self.message = message
    self.advice = advice
  }
}
