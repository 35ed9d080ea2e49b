import PlainText

extension ValueKind {
  /// Returns the value kind for an object with these fields.
  static func object(_ fields: Fields<Value>, rules: [Rule<Value>] = []) -> ValueKind {
    object(fields, Tag<Value>?.none, rules) { value, _ in value }
  }

  /// Returns the value kind for an object with these fields and the fields of its word.
  ///
  /// - Parameter make: a closure that creates the value. It may return nil only if an error in the object has been
  ///   reported.
  static func object<Common, Part>(
    _ fields: Fields<Common>, tag: Tag<Part>, rules: [Rule<Common>] = [],
    make: @escaping @Sendable (Common, Part) -> Value?
  ) -> ValueKind {
    object(fields, tag, rules) { common, part in part.flatMap { make(common, $0) } }
  }

  /// Returns the value kind for an object whose tag determines all other keys.
  static func object(tag: Tag<Value>) -> ValueKind { object(Fields {}, tag: tag) { _, value in value } }

  private static func object<Common, Part>(
    _ fields: Fields<Common>, _ tag: Tag<Part>?, _ rules: [Rule<Common>],
    make: @escaping @Sendable (Common, Part?) -> Value?
  ) -> ValueKind {
    let schema = ObjectSchema(keys: fields.keys, tag: tag?.key, words: tag?.words ?? [], choices: fields.choices)
    return ValueKind(.object(schema)) { node, reading in
      let before = reading.diagnostics.errorCount
      guard var members = Members(node, &reading) else { return nil }
      let row = tag.flatMap { members.word(of: $0, &reading) }
      let common = fields.read(&members, &reading)
      let part = tag.flatMap { members.part(of: $0, row, &reading) }
      // Without the word, the set of valid keys is unknown.
      let keys =
        tag == nil || row != nil ? (tag.map { [$0.schema] } ?? []) + fields.keys + (row?.fields.keys ?? []) : nil
      members.reportKeys(keys, fields.choices, &reading) { key in
        guard let tag, let row, tag.keys.contains(key) else { return "unknown key \(quoted(key))" }
        return "the \(tag.what) \"\(row.word)\" has no key \(quoted(key))"
      }
      // Keys that seem to be missing may be in the part that could not be parsed.
      guard members.object.isWhole else { return nil }
      if let row { for rule in row.rules { rule.run((), members, &reading) } }
      guard let common else { return nil }
      for rule in rules { rule.run(common, members, &reading) }
      guard members.damaged.isEmpty, reading.diagnostics.errorCount == before else { return nil }
      return make(common, part)
    }
  }
}

/// A key whose word determines the other fields of an object, such as `do` in a step or `event` in a pattern.
struct Tag<Part: Sendable>: Sendable {
  /// A word with its help text and its fields.
  struct Row: Sendable {
    fileprivate let word: String
    fileprivate let help: String
    fileprivate let fields: Fields<Part>
    /// The rules, which run even if the fields do not produce a value.
    fileprivate let rules: [Rule<Void>]

    init(_ word: String, _ help: String, _ fields: Fields<Part>, rules: [Rule<Void>] = []) {
      (self.word, self.help, self.fields, self.rules) = (word, help, fields, rules)
    }

    init<each Value: Sendable>(
      _ word: String, _ help: String, _ fields: repeat Fields<each Value>,
      make: @escaping @Sendable (repeat each Value) -> Part
    ) {
      self.init(word, help, Fields(repeat each fields, make: make))
    }
  }

  /// The key that contains the word.
  fileprivate let key: String
  /// The noun that describes the word in messages.
  fileprivate let what: String
  /// All keys that belong to any of the words.
  fileprivate let keys: Set<String>
  fileprivate let word: ValueKind<String>
  private let rows: [Row]
  private let byWord: [String: Row]

  /// - Parameters:
  ///   - meant: known words, keyed by their common synonyms.
  ///   - advice: the advice for words that have no synonym, but a replacement.
  init(_ key: String, what: String, _ rows: [Row], meant: [String: String] = [:], advice: [String: String] = [:]) {
    (self.key, self.what, self.rows) = (key, what, rows)
    word = .word(what, rows.map(\.word), meant: meant, advice: advice)
    byWord = Dictionary(uniqueKeysWithValues: rows.map { ($0.word, $0) })
    keys = Set(rows.flatMap(\.fields.keys).map(\.name))
  }

  fileprivate var schema: ObjectSchema.Key { ObjectSchema.Key(name: key, help: what, schema: word.schema) }

  /// The words, each with its keys.
  var words: [ObjectSchema.Word] {
    rows.map { ObjectSchema.Word(name: $0.word, help: $0.help, keys: $0.fields.keys) }
  }

  fileprivate func row(_ word: String) -> Row? { byWord[word] }

  /// Returns the word that is probably missing: one that is under another key, such as `"action": "select"` or
  /// `"select": "A"`, or else the first word with the other keys of the object.
  fileprivate func likelyWord(_ object: JSONObject) -> String? {
    for member in object.members {
      if let word = member.value.word, row(word) != nil { return word }
      if row(member.key) != nil { return member.key }
    }
    let keys = Set(object.members.map(\.key)).intersection(keys)
    return rows.first { keys.isSubset(of: $0.fields.keys.map(\.name)) }?.word
  }
}

extension Members {
  /// Reads the tag's word and returns its row.
  fileprivate mutating func word<Part>(of tag: Tag<Part>, _ reading: inout Reading) -> Tag<Part>.Row? {
    value(
      of: tag.key, isRequired: true, hint: tag.likelyWord(object).map { "such as \"\(tag.key)\": \"\($0)\"" } ?? "",
      tag.word.read, &reading
    ).flatMap(tag.row)
  }

  /// Reads the fields of the word's row.
  fileprivate mutating func part<Part>(of tag: Tag<Part>, _ row: Tag<Part>.Row?, _ reading: inout Reading) -> Part? {
    guard let row, let location = object[tag.key]?.value.range else { return nil }
    (start, suffix) = (location, " for the \(tag.what) \"\(row.word)\"")
    return row.fields.read(&self, &reading)
  }
}

/// A constraint on several keys of an object.
struct Rule<Owner: Sendable>: Sendable {
  private let keys: [String]
  private let run: @Sendable (Owner, JSONNode, inout Reading) -> Void

  /// - Parameters:
  ///   - keys: the keys that must be readable for the rule to run, even if other keys are not. The rule does not run if
  ///     the object is truncated. A rule with an owner also does not run if a required value of the owner is missing.
  ///   - run: a closure that reports a violation.
  init(_ keys: String..., run: @escaping @Sendable (Owner, JSONNode, inout Reading) -> Void) {
    self.keys = keys
    self.run = run
  }

  fileprivate func run(_ owner: Owner, _ members: Members, _ reading: inout Reading) {
    if members.damaged.isDisjoint(with: keys) { run(owner, members.node, &reading) }
  }
}

/// Keys of an object that are mutually exclusive.
struct Choice: Sendable {
  let keys: [String]
  /// Whether one of the keys is required.
  let isRequired: Bool
  /// Whether two keys can be written as two entries of a list.
  var splits = false

  /// Returns a choice that allows at most one of two keys.
  static func atMostOne(_ one: String, _ other: String) -> Choice { Choice(keys: [one, other], isRequired: false) }

  static func exactlyOne(_ keys: String...) -> Choice { Choice(keys: keys, isRequired: true) }

  /// Whether the object lacks a required key.
  func isMissing(in object: JSONObject) -> Bool {
    isRequired && object.isWhole && keys.allSatisfy { object[$0] == nil }
  }

  /// Reports a key that is missing, or a second key that is present.
  func validate(_ object: JSONObject, missingAt location: Range<Int>, _ reading: inout Reading) {
    let present = object.members.filter { keys.contains($0.key) }
    if present.count > 1 {
      let names = present.prefix(2).map { quoted($0.key) }
      reading.report(
        .duplicate, "\(names[1]) cannot be combined with \(names[0])", at: present[1].keyRange,
        splits ? "write two entries: {\(names[0]): ...}, {\(names[1]): ...}" : "keep one of them")
    } else if isMissing(in: object) {
      let list = keys.map { "\"\($0)\"" }
      reading.report(
        .missing, "missing \(list.listed(with: "or"))", at: location, "add \(list.count == 1 ? "it" : "one of them")")
    }
  }

  /// The choice as a rule of the JSON Schema.
  var rule: JSONValue {
    let one = JSONValue.list(keys.map { ["required": [.string($0)]] })
    if isRequired { return ["oneOf": one] }
    return ["not": ["required": .list(keys.map { .string($0) })]]
  }
}
