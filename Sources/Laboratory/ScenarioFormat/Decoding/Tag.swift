/// The word of an object that decides which further fields it has: the `do` of a step, the `event` of a pattern.
struct Tag<Owner: Sendable>: Sendable {
  /// What one word stands for.
  struct Case: Sendable {
    let word: String
    /// One sentence for the schema.
    let help: String
    /// The fields that come with the word, beside the common ones.
    var fields: [Field<Owner>] = []
    /// Notes the word in the owner.
    var choose: @Sendable (inout Owner) -> Void = { _ in }
  }

  /// The key with the word.
  let key: String
  /// What the word is called in messages.
  let what: String
  /// The keys that come with some word.
  let keys: Set<String>
  private let cases: [Case]
  // Made once, and not for each object of a file.
  private let word: ValueKind<String>
  private let byWord: [String: Case]

  init(_ key: String, what: String, _ cases: [Case]) {
    self.key = key
    self.what = what
    self.cases = cases
    word = .word(what, cases.map(\.word))
    byWord = Dictionary(uniqueKeysWithValues: cases.map { ($0.word, $0) })
    keys = Set(cases.flatMap(\.fields).map(\.name))
  }

  /// The same for the schema.
  var words: [ObjectSchema.Word] {
    cases.map { ObjectSchema.Word(name: $0.word, help: $0.help, keys: $0.fields.map(\.key)) }
  }

  /// The word of an object; nil after a complaint.
  func read(_ object: JSONObject, missingAt location: Range<Int>, _ reading: inout Reading) -> Case? {
    guard let member = object[key] else {
      if object.isWhole { reading.report(.missing, "missing \"\(key)\"", at: location, "add \"\(key)\"") }
      return nil
    }
    return word.read(member.value, &reading).flatMap { byWord[$0] }
  }
}
