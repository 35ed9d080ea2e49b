import PlainText

/// Parses strict JSON. It records the location of every key and value, and continues after a mistake if possible.
struct JSONParser {
  /// The maximum nesting depth of objects and lists.
  static let deepest = 64

  private var lexer: JSONLexer
  private var token = JSONToken(kind: .end, range: 0..<0)
  private var diagnostics = Diagnostics()
  /// The brackets that are currently open, starting with the outermost.
  private var open: [Bracket] = []
  private var hasGivenUp = false
  /// The end of the last token that was consumed.
  private var end = 0
  /// The first bracket whose closing bracket is alone in its line and begins further left than the bracket's own line.
  /// Probably the closing bracket belongs to an outer bracket.
  private var misaligned: (bracket: Bracket, opening: Range<Int>, closing: Int)?

  private enum Bracket {
    case object, list

    /// The opening and the closing bracket, in quotes.
    var names: (opening: String, closing: String) {
      switch self {
      case .object: ("\"{\"", "\"}\"")
      case .list: ("\"[\"", "\"]\"")
      }
    }
  }

  /// Parses an entire text.
  ///
  /// - Returns: the value of the text, or nil if no part of it is usable.
  static func parse(_ source: SourceText, _ diagnostics: inout Diagnostics) -> JSONNode? {
    guard source.bytes.count <= SourceText.largest else {
      diagnostics.report(.syntax, "the file is larger than 1 MiB", at: 0..<0, "split it into several files")
      return nil
    }
    var start = 0
    if source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      diagnostics.report(
        .syntax, "the file begins with a byte order mark", at: 0..<3, "save it as UTF-8 without the mark")
      start = 3
    }
    if let invalid = source.firstInvalidByte {
      diagnostics.report(.syntax, "this byte is not valid UTF-8", at: invalid..<invalid + 1, "save the file as UTF-8")
      return nil
    }
    var parser = JSONParser(lexer: JSONLexer(source.bytes, startingAt: start))
    parser.diagnostics = diagnostics
    defer { diagnostics = parser.diagnostics }
    return parser.document()
  }

  private init(lexer: JSONLexer) { self.lexer = lexer }

  private mutating func document() -> JSONNode? {
    advance()
    guard token.kind != .end else {
      report("the file is empty", "a scenario is an object: { \"scenario\": 1, ... }")
      return nil
    }
    let value = value()
    if token.kind != .end, !hasGivenUp {
      report("expected the end of the file, found \(token.name)", "remove it, or the extra bracket before it")
    }
    return value
  }

  private mutating func value() -> JSONNode {
    let token = token
    guard token.beginsValue else {
      report("expected a value, found \(token.name)")
      if token.kind == .colon { advance() }
      return JSONNode(content: .unreadable, range: token.range)
    }
    if token.kind == .openBrace { return bracketed(.object) }
    if token.kind == .openBracket { return bracketed(.list) }
    advance()
    return JSONNode(content: content(of: token), range: token.range)
  }

  private mutating func content(of token: JSONToken) -> JSONNode.Content {
    switch token.kind {
    case .string(let text): return .string(text)
    case .number(let text): return .number(JSONNumber(text: text, value: Double(text) ?? 0))
    case .word("true"): return .bool(true)
    case .word("false"): return .bool(false)
    case .word("null"): return .null
    case .word(let word):
      let known = Spelling.hint(for: word, among: ["true", "false", "null"])
      complain("\(quoted(word)) is not a value", at: token.range, known ?? "a string needs quotes")
      return .unreadable
    default: return .unreadable
    }
  }

  private mutating func bracketed(_ bracket: Bracket) -> JSONNode {
    let opening = token.range
    guard open.count < Self.deepest else {
      report("objects and lists are nested deeper than \(Self.deepest) levels")
      giveUp()
      return JSONNode(content: .unreadable, range: opening)
    }
    open.append(bracket)
    advance()
    let content: JSONNode.Content = bracket == .object ? .object(object(opening)) : .list(list(opening))
    open.removeLast()
    noteAlignment(of: bracket, opening)
    return JSONNode(content: content, range: opening.lowerBound..<max(opening.upperBound, end))
  }

  private mutating func object(_ opening: Range<Int>) -> JSONObject {
    var object = JSONObject()
    var keys: Set<String> = []
    var comma: Range<Int>?
    while true {
      if closes(.closeBrace, after: comma) { return object }
      if comma != nil, token.kind == .openBrace, let first = object.members.last, case .object = first.value.content {
        object.members[object.members.count - 1].value = unopenedList(after: first)
        comma = nil
        if token.kind == .comma { comma = token.range; advance() }
        continue
      }
      guard let key = key() else {
        object.isWhole = false
        if leaves(.object, opening) { return object }
        comma = nil
        continue
      }
      let value = memberValue(key)
      if let name = key.name, keys.insert(name).inserted {
        object.members.append(JSONObject.Member(key: name, keyRange: key.range, value: value))
      } else if let name = key.name {
        diagnostics.report(.duplicate, "the key \(quoted(name)) appears twice", at: key.range, "keep one of them")
      } else {
        object.isWhole = false
      }
      switch separator(.closeBrace, "another key") {
      case .next(let range): comma = range
      case .closed: return object
      case .lost:
        object.isWhole = false
        if leaves(.object, opening) { return object }
        comma = nil
      }
    }
  }

  private struct Key {
    /// The name of the key, or nil if the key cannot be parsed.
    let name: String?
    let range: Range<Int>
  }

  private mutating func key() -> Key? {
    let token = token
    switch token.kind {
    case .string(let name):
      advance()
      return Key(name: name, range: token.range)
    case .word(let name):
      complain("a key without quotes", at: token.range, "write \(quoted(name))")
      advance()
      return Key(name: name, range: token.range)
    case .damaged:
      advance()
      return Key(name: nil, range: token.range)
    case .closeBracket, .end:
      return nil
    default:
      report("expected a key in quotes, found \(token.name)")
      if token.kind == .comma { advance() }
      return nil
    }
  }

  private mutating func memberValue(_ key: Key) -> JSONNode {
    if token.kind == .colon {
      advance()
      return value()
    }
    report("expected \":\" after the key, found \(token.name)")
    return token.beginsValue ? value() : JSONNode(content: .unreadable, range: key.range)
  }

  private mutating func list(_ opening: Range<Int>) -> [JSONNode] {
    var elements: [JSONNode] = []
    var comma: Range<Int>?
    while true {
      if closes(.closeBracket, after: comma) { return elements }
      if token.kind == .closeBrace || token.kind == .end {
        if leaves(.list, opening) { return elements }
        comma = nil
        continue
      }
      elements.append(value())
      switch separator(.closeBracket, "another value") {
      case .next(let range): comma = range
      case .closed: return elements
      case .lost:
        if leaves(.list, opening) { return elements }
        comma = nil
      }
    }
  }

  /// Parses the other elements of a list whose opening bracket is missing, as in `"steps": {}, {}]`.
  private mutating func unopenedList(after first: JSONObject.Member) -> JSONNode {
    complain(
      "\(quoted(first.key)) has several values without a list", at: first.keyRange, "put \"[\" before the first value")
    var elements = [first.value]
    while token.kind == .openBrace {
      elements.append(value())
      if token.kind == .comma { advance() }
    }
    if token.kind == .closeBracket { advance() }
    return JSONNode(content: .list(elements), range: first.value.range.lowerBound..<end)
  }

  /// If the current token closes the bracket, consumes it, reports a trailing comma, and returns true.
  private mutating func closes(_ closing: JSONToken.Kind, after comma: Range<Int>?) -> Bool {
    guard token.kind == closing else { return false }
    if let comma { diagnostics.report(.trailingComma, "a comma before the closing bracket", at: comma, "remove it") }
    advance()
    return true
  }

  private enum Separation { case next(Range<Int>?), closed, lost }

  /// Reads the comma or the closing bracket after a member or an element.
  private mutating func separator(_ closing: JSONToken.Kind, _ another: String) -> Separation {
    if token.kind == .comma {
      defer { advance() }
      return .next(token.range)
    }
    if token.kind == closing {
      advance()
      return .closed
    }
    if token.beginsValue {
      if token.kind != .damaged { report("expected \",\" before \(another)", "put a comma before it") }
      return .next(nil)
    }
    if token.kind == .colon {
      report("expected \",\", found \":\"")
      advance()
    }
    return .lost
  }

  /// Recovers from an unexpected token. It skips tokens until the bracket's content can continue or the bracket ends.
  /// Returns whether the bracket has ended.
  ///
  /// A closing bracket of the wrong kind also ends the current bracket. If the enclosing bracket is of that kind, the
  /// parser leaves the closing bracket for it. Otherwise the parser treats it as a typo.
  private mutating func leaves(_ bracket: Bracket, _ opening: Range<Int>) -> Bool {
    let own: JSONToken.Kind = bracket == .object ? .closeBrace : .closeBracket
    let foreign: JSONToken.Kind = bracket == .object ? .closeBracket : .closeBrace
    while true {
      switch token.kind {
      case own: return false
      case foreign:
        let line = line(at: opening.lowerBound)
        reportUnmatched(
          "expected \(bracket.names.closing), found \(token.name)", at: token.range, opening,
          "line \(line) opens the \(bracket.names.opening)")
        let belongsOutside = open.dropLast().last.map { $0 != bracket } ?? false
        if !belongsOutside { advance() }
        return true
      case .end:
        reportUnclosed(bracket, opening)
        // The enclosing brackets are not closed either, but reporting that would not be useful.
        giveUp()
        return true
      case .comma:
        advance()
        return false
      case .string where bracket == .object: return false
      case .openBrace, .openBracket:
        // Skip the nested value as a whole.
        _ = value()
      default:
        if bracket == .list, token.beginsValue { return false }
        advance()
      }
    }
  }

  /// Reports a bracket that the file does not close, or a bracket inside it whose indentation shows that it lacks the
  /// closing bracket.
  private mutating func reportUnclosed(_ bracket: Bracket, _ opening: Range<Int>) {
    let (bracket, opening) = misaligned.map { ($0.bracket, $0.opening) } ?? (bracket, opening)
    reportUnmatched(
      "this \(bracket.names.opening) is not closed", at: opening, opening,
      misaligned.map {
        "the next closing bracket, in line \(line(at: $0.closing)), begins further left, so an outer bracket needs it"
      } ?? "the file ends before its \(bracket.names.closing)")
  }

  private mutating func reportUnmatched(
    _ message: String, at range: Range<Int>, _ opening: Range<Int>, _ advice: String
  ) {
    guard !hasGivenUp else { return }
    diagnostics.reportUnmatched(message, at: range, opening: opening.lowerBound, advice)
  }

  private func line(at index: Int) -> Int { lexer.bytes[..<index].count { $0 == UInt8(ascii: "\n") } + 1 }

  /// Records a bracket that has just been closed by a bracket with less indentation.
  private mutating func noteAlignment(of bracket: Bracket, _ opening: Range<Int>) {
    guard misaligned == nil, !hasGivenUp, end > opening.upperBound else { return }
    let closing = lexer.bytes.indentation(before: end - 1)
    guard let closing, let own = lexer.bytes.indentation(ofLineWith: opening.lowerBound), closing < own else { return }
    misaligned = (bracket, opening, end - 1)
  }

  private mutating func advance() {
    guard !hasGivenUp else { return }
    end = token.range.upperBound
    token = lexer.next(&diagnostics)
    if diagnostics.count >= Diagnostics.most { giveUp() }
  }

  /// Stops parsing, as if the text ended here.
  private mutating func giveUp() {
    hasGivenUp = true
    token = JSONToken(kind: .end, range: lexer.bytes.count..<lexer.bytes.count)
  }

  /// Reports a problem with the current token.
  private mutating func report(_ message: String, _ advice: String? = nil) {
    complain(message, at: token.range, advice)
  }

  private mutating func complain(_ message: String, at range: Range<Int>, _ advice: String?) {
    guard !hasGivenUp else { return }
    diagnostics.report(.syntax, message, at: range, advice)
  }
}

extension [UInt8] {
  /// Returns the index at which the line of this index starts.
  func startOfLine(with index: Int) -> Int { self[..<index].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0 }

  /// Returns the number of blanks before the byte at this index, or nil if the line also contains other bytes before it.
  fileprivate func indentation(before index: Int) -> Int? {
    let blanks = self[..<index].reversed().prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
    let start = index - blanks
    return start == 0 || self[start - 1] == UInt8(ascii: "\n") ? blanks : nil
  }

  /// Returns the number of blanks at the start of the line that contains this index.
  fileprivate func indentation(ofLineWith index: Int) -> Int? {
    let start = startOfLine(with: index)
    return self[start...].firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }.map { $0 - start }
  }
}
