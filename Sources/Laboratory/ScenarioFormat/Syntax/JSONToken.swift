/// A smallest piece of a JSON text.
struct JSONToken: Sendable {
  /// What the piece is.
  enum Kind: Sendable, Equatable {
    case openBrace, closeBrace, openBracket, closeBracket, colon, comma
    case string(String)
    case number(String)
    /// `true`, `false`, `null`, or a word that JSON does not have.
    case word(String)
    /// A piece instead of a value that was complained about already.
    case damaged
    case end
  }

  let kind: Kind
  let range: Range<Int>

  /// Whether a value can begin with it.
  var beginsValue: Bool {
    switch kind {
    case .openBrace, .openBracket, .string, .number, .word, .damaged: true
    case .closeBrace, .closeBracket, .colon, .comma, .end: false
    }
  }

  /// What it is, for an error.
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
