import PlainText

/// Splits a JSON text into tokens and reports invalid ones.
struct JSONLexer {
  let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8], startingAt index: Int) {
    self.bytes = bytes
    self.index = index
  }

  /// Returns the next token. At the end of the text, it always returns `end`.
  mutating func next(_ diagnostics: inout Diagnostics) -> JSONToken {
    skipMeaningless(&diagnostics)
    guard index < bytes.count else { return JSONToken(kind: .end, range: bytes.count..<bytes.count) }
    let start = index
    switch bytes[index] {
    case UInt8(ascii: "{"): return single(.openBrace)
    case UInt8(ascii: "}"): return single(.closeBrace)
    case UInt8(ascii: "["): return single(.openBracket)
    case UInt8(ascii: "]"): return single(.closeBracket)
    case UInt8(ascii: ":"): return single(.colon)
    case UInt8(ascii: "="):
      diagnostics.report(.syntax, "unexpected \"=\"", at: start..<start + 1, "write \":\" between a key and its value")
      return single(.colon)
    case UInt8(ascii: ","): return single(.comma)
    case UInt8(ascii: "\""):
      let string = JSONStringReader(bytes, openingAt: start).read(&diagnostics)
      index = string.end
      return JSONToken(kind: string.text.map { .string($0) } ?? .damaged, range: start..<index)
    case UInt8(ascii: "'"): return singleQuoted(&diagnostics)
    case _ where isCurlyQuote(start): return curlyQuoted(&diagnostics)
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return number(&diagnostics)
    default:
      skip(while: Self.isWordByte)
      return JSONToken(kind: .word(text(start..<index)), range: start..<index)
    }
  }

  /// Skips to the next character that can start a token.
  private mutating func skipMeaningless(_ diagnostics: inout Diagnostics) {
    while true {
      skipSpace(&diagnostics)
      guard index < bytes.count, !Self.beginsToken(bytes[index]), !isCurlyQuote(index) else { return }
      let start = index
      skipCharacter()
      diagnostics.report(.syntax, "unexpected \(quoted(text(start..<index)))", at: start..<index, "remove it")
    }
  }

  private mutating func single(_ kind: JSONToken.Kind) -> JSONToken {
    index += 1
    return JSONToken(kind: kind, range: index - 1..<index)
  }

  private mutating func skipSpace(_ diagnostics: inout Diagnostics) {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): index += 1
      case UInt8(ascii: "/"), UInt8(ascii: "#"):
        let start = index
        skipComment()
        diagnostics.report(
          .syntax, "JSON has no comments", at: start..<index, "remove it; \"description\" accepts any text")
        // The rest of a string whose first quote ended an earlier string: a path begins with a slash.
        if !bytes[start..<index].count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2) {
          diagnostics.noteOddQuotes(at: start..<index, lineStart: bytes.startOfLine(with: start))
        }
      default: return
      }
    }
  }

  /// Skips to the end of the line, or to the end of a multi-line comment.
  private mutating func skipComment() {
    guard bytes[index...].starts(with: "/*".utf8) else { return skip { !Self.endsLine($0) } }
    index += 2
    while index < bytes.count, !bytes[index...].starts(with: "*/".utf8) { index += 1 }
    index = min(index + 2, bytes.count)
  }

  /// Built once, because building it takes longer than a match. Matching does not change it.
  private nonisolated(unsafe) static let numberForm = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+\-]?[0-9]+)?/

  private mutating func number(_ diagnostics: inout Diagnostics) -> JSONToken {
    let start = index
    skip { Self.isWordByte($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    let text = text(start..<index)
    if text.wholeMatch(of: Self.numberForm) != nil {
      if let value = Double(text), value.isFinite { return JSONToken(kind: .number(text), range: start..<index) }
      diagnostics.report(.syntax, "the number \(quoted(text)) is too large", at: start..<index)
    } else if text.wholeMatch(of: /[0-9.]+(?:us|ms|s)/) != nil {
      diagnostics.report(
        .syntax, "a duration without quotes", at: start..<index, "write \(quoted(text)), with the quotes")
    } else {
      diagnostics.report(.syntax, "\(quoted(text)) is not a JSON number", at: start..<index)
    }
    return JSONToken(kind: .damaged, range: start..<index)
  }

  private mutating func singleQuoted(_ diagnostics: inout Diagnostics) -> JSONToken {
    let start = index
    index += 1
    skip { $0 != UInt8(ascii: "'") && !Self.endsLine($0) }
    let content = text(start + 1..<index)
    if index < bytes.count, bytes[index] == UInt8(ascii: "'") { index += 1 }
    diagnostics.report(.syntax, "a string has single quotes", at: start..<index, "write \(quoted(content))")
    // The parser can continue with this token, even if it is a key. The key's value can then be validated.
    return JSONToken(kind: .string(content), range: start..<index)
  }

  /// Returns whether one of “ ” „ ‟ is at this index.
  private func isCurlyQuote(_ index: Int) -> Bool {
    bytes[index...].starts(with: [0xE2, 0x80]) && index + 2 < bytes.count && (0x9C...0x9F).contains(bytes[index + 2])
  }

  /// Reads a string that a word processor has put in curly quotes. It ends at a quote of any kind.
  private mutating func curlyQuoted(_ diagnostics: inout Diagnostics) -> JSONToken {
    let start = index
    index += 3
    while index < bytes.count, !isCurlyQuote(index), bytes[index] != UInt8(ascii: "\""), !Self.endsLine(bytes[index]) {
      index += 1
    }
    let content = text(start + 3..<index)
    if index < bytes.count, !Self.endsLine(bytes[index]) { index += isCurlyQuote(index) ? 3 : 1 }
    diagnostics.report(
      .syntax, "a string has curly quotes", at: start..<index, "write \(quoted(content)), with straight quotes")
    return JSONToken(kind: .string(content), range: start..<index)
  }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while index < bytes.count, condition(bytes[index]) { index += 1 }
  }

  /// Skips one character, regardless of its number of bytes.
  private mutating func skipCharacter() {
    index += 1
    skip { $0 & 0b1100_0000 == 0b1000_0000 }
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private static func endsLine(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

  private static func beginsToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"),
      UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "="):
      true
    default: isWordByte(byte)
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }
}

/// A token of a JSON text.
struct JSONToken: Sendable {
  /// The kind of the token.
  enum Kind: Sendable, Equatable {
    case openBrace, closeBrace, openBracket, closeBracket, colon, comma
    case string(String)
    case number(String)
    /// `true`, `false`, `null`, or an unknown word.
    case word(String)
    /// A placeholder for an invalid token that was already reported.
    case damaged
    case end
  }

  let kind: Kind
  let range: Range<Int>

  /// Whether the token can start a value.
  var beginsValue: Bool {
    switch kind {
    case .openBrace, .openBracket, .string, .number, .word, .damaged: true
    case .closeBrace, .closeBracket, .colon, .comma, .end: false
    }
  }

  /// The token's description in error messages.
  var name: String {
    switch kind {
    case .openBrace: "\"{\""
    case .closeBrace: "\"}\""
    case .openBracket: "\"[\""
    case .closeBracket: "\"]\""
    case .colon: "\":\""
    case .comma: "\",\""
    case .string: "a string"
    case .number: "a number"
    case .word(let word): quoted(word)
    case .damaged: "something unreadable"
    case .end: "the end of the file"
    }
  }
}
