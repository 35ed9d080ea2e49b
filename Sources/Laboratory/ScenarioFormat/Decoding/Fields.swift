import Bytes

/// The members of one object while its fields are read.
struct Members {
  let node: JSONNode
  let object: JSONObject
  /// Where a message about a missing key points.
  private var start: Range<Int>
  /// The part of that message behind the key.
  private var owner = ""
  /// The keys without a usable value.
  private(set) var damaged: Set<String> = []

  /// Nil after a complaint, if the node is not an object.
  init?(_ node: JSONNode, _ reading: inout Reading) {
    guard case .object(let object) = node.content else {
      reading.wrongKind(node, expected: "an object")
      return nil
    }
    (self.node, self.object) = (node, object)
    start = node.range.lowerBound..<node.range.lowerBound + 1
  }

  /// Reads the value of a key, or complains if a required key is missing.
  mutating func value<Value>(
    of key: ObjectSchema.Key, _ read: (JSONNode, inout Reading) -> Value?, _ reading: inout Reading
  ) -> Value? {
    if let member = object[key.name] {
      let value = read(member.value, &reading)
      if value == nil { damaged.insert(key.name) }
      return value
    }
    if key.isRequired { reportMissing(key.name, &reading) }
    return nil
  }

  private mutating func reportMissing(_ key: String, _ reading: inout Reading) {
    damaged.insert(key)
    guard object.isWhole else { return }
    reading.report(.missing, "missing \"\(key)\"\(owner)", at: start, "add \"\(key)\"")
  }

  /// Reads the word of a tag. The keys that are read afterwards belong to that word.
  fileprivate func word<Part>(of tag: Tag<Part>, _ reading: inout Reading) -> Tag<Part>.Row? {
    var members = self
    return members.value(of: tag.schemaKey, tag.word.read, &reading).flatMap(tag.row)
  }

  /// Reads the fields of the row that the tag chose.
  fileprivate mutating func part<Part>(of tag: Tag<Part>, _ row: Tag<Part>.Row?, _ reading: inout Reading) -> Part? {
    guard let row, let location = object[tag.key]?.value.range else {
      damaged.insert(tag.key)
      return nil
    }
    (start, owner) = (location, " for the \(tag.what) \"\(row.word)\"")
    return row.fields.read(&self, &reading)
  }

  /// Complains about keys that no field has, or that only another word has.
  fileprivate func refuseOthers<Part>(
    than keys: [ObjectSchema.Key], _ tag: Tag<Part>?, _ row: Tag<Part>.Row?, _ reading: inout Reading
  ) {
    let names = (tag.map { [$0.key] } ?? []) + (keys + (row?.fields.keys ?? [])).map(\.name)
    for member in object.members where !names.contains(member.key) {
      if let tag, let row, tag.keys.contains(member.key) {
        reading.report(
          .unknownKey, "the \(tag.what) \"\(row.word)\" has no \(quoted(member.key))", at: member.keyRange,
          "there are \(listed(names))")
      } else {
        reading.unknownKey(member.key, among: names, at: member.keyRange)
      }
    }
  }
}

/// One key of an object, and the kind of its value.
struct Field<Value: Sendable>: Sendable {
  let name: String
  let kind: ValueKind<Value>
  let help: String

  init(_ name: String, _ kind: ValueKind<Value>, _ help: String) {
    (self.name, self.kind, self.help) = (name, kind, help)
  }

  var required: Fields<Value> {
    let key = key(isRequired: true)
    return Fields([key]) { members, reading in members.value(of: key, kind.read, &reading) }
  }

  /// Nil if the key is absent.
  var optional: Fields<Value?> {
    let key = key()
    return Fields<Value?>([key]) { members, reading in .some(members.value(of: key, kind.read, &reading)) }
  }

  /// `value` if the key is absent.
  func or(_ value: Value) -> Fields<Value> { optional.map { $0 ?? value } }

  private func key(isRequired: Bool = false) -> ObjectSchema.Key {
    ObjectSchema.Key(name: name, help: help, isRequired: isRequired, schema: kind.schema)
  }
}

/// One key of an object that has a default for all of its values, such as `limits`.
struct Setting<Owner: Sendable>: Sendable {
  private(set) var key: ObjectSchema.Key
  /// Reads the value into the owner. Without the key, the owner's value stays as it is.
  fileprivate let read: @Sendable (inout Members, ObjectSchema.Key, inout Owner, inout Reading) -> Void

  init<Value>(
    _ name: String, _ kind: ValueKind<Value>, _ path: any WritableKeyPath<Owner, Value> & Sendable, _ help: String
  ) {
    self.init(ObjectSchema.Key(name: name, help: help, schema: kind.schema)) { members, key, owner, reading in
      if let value = members.value(of: key, kind.read, &reading) { owner[keyPath: path] = value }
    }
  }

  init<Value>(
    _ name: String, _ kind: ValueKind<Value>, _ path: any WritableKeyPath<Owner, Value?> & Sendable, _ help: String
  ) {
    self.init(name, kind.map { Optional($0) }, path, help)
  }

  /// A key whose value is not read here.
  init(ignoring key: ObjectSchema.Key) {
    self.init(key) { members, key, _, reading in _ = members.value(of: key, { _, _ in true }, &reading) }
  }

  private init(
    _ key: ObjectSchema.Key,
    _ read: @escaping @Sendable (inout Members, ObjectSchema.Key, inout Owner, inout Reading) -> Void
  ) {
    (self.key, self.read) = (key, read)
  }

  var required: Setting { required(true) }

  var optional: Setting { required(false) }

  private func required(_ isRequired: Bool) -> Setting {
    var setting = self
    setting.key.isRequired = isRequired
    return setting
  }
}

/// Some keys of an object, which are read into one value.
struct Fields<Value: Sendable>: Sendable {
  let keys: [ObjectSchema.Key]
  fileprivate(set) var choices: [Choice]
  /// Reads every key that is there. Returns nil if the value cannot be made of them.
  fileprivate let read: @Sendable (inout Members, inout Reading) -> Value?

  fileprivate init(
    _ keys: [ObjectSchema.Key], choices: [Choice] = [],
    read: @escaping @Sendable (inout Members, inout Reading) -> Value?
  ) {
    (self.keys, self.choices, self.read) = (keys, choices, read)
  }

  /// Some groups of keys together.
  init<each Part: Sendable>(
    _ parts: repeat Fields<each Part>, make: @escaping @Sendable (repeat each Part) -> Value
  ) {
    var keys: [ObjectSchema.Key] = []
    var choices: [Choice] = []
    for part in repeat each parts {
      keys += part.keys
      choices += part.choices
    }
    self.init(keys, choices: choices) { members, reading in
      let values = (repeat (each parts).read(&members, &reading))
      for value in repeat each values { if value == nil { return nil } }
      return make(repeat (each values)!)
    }
  }

  /// Changes of a value that is complete without them.
  init(_ standard: Value, _ settings: [Setting<Value>]) {
    self.init(settings.map(\.key)) { members, reading in
      var value = standard
      for setting in settings { setting.read(&members, setting.key, &value, &reading) }
      return value
    }
  }

  /// Exactly one of these keys.
  static func oneOf(_ fields: [Field<Value>]) -> Fields {
    let alternatives = fields.map(\.optional)
    let choice = Choice(keys: fields.map(\.name), isRequired: true)
    return Fields(alternatives.flatMap(\.keys), choices: [choice]) { members, reading in
      alternatives.reduce(nil) { found, alternative in
        let value = alternative.read(&members, &reading) ?? nil
        return found ?? value
      }
    }
  }

  /// The same keys, of which some exclude each other.
  func choosing(_ choices: Choice...) -> Fields {
    var fields = self
    fields.choices += choices
    return fields
  }

  func map<Other: Sendable>(_ transform: @escaping @Sendable (Value) -> Other) -> Fields<Other> {
    Fields<Other>(keys, choices: choices) { members, reading in read(&members, &reading).map(transform) }
  }

  /// Keeps the location of a key, or that of the object.
  func located(_ path: any WritableKeyPath<Value, Range<Int>> & Sendable, at key: String? = nil) -> Fields {
    Fields(keys, choices: choices) { members, reading in
      var value = read(&members, &reading)
      value?[keyPath: path] = (key.flatMap { members.node[$0] } ?? members.node).range
      return value
    }
  }
}

/// The word of an object that decides which further fields it has: the `do` of a step, the `event` of a pattern.
struct Tag<Part: Sendable>: Sendable {
  /// A word with its help, its fields, and the value that is made of them.
  struct Row: Sendable {
    let word: String
    let help: String
    let fields: Fields<Part>
    fileprivate let rules: [Rule<Part>]

    init(_ word: String, _ help: String, _ fields: Fields<Part>, rules: [Rule<Part>] = []) {
      (self.word, self.help, self.fields, self.rules) = (word, help, fields, rules)
    }

    init<each Value: Sendable>(
      _ word: String, _ help: String, _ fields: repeat Fields<each Value>,
      make: @escaping @Sendable (repeat each Value) -> Part
    ) {
      self.init(word, help, Fields(repeat each fields, make: make))
    }
  }

  /// The key with the word.
  let key: String
  /// What messages call the word.
  let what: String
  /// The keys that come with some word.
  let keys: Set<String>
  let rows: [Row]
  // Made once, and not for each object of a file.
  fileprivate let word: ValueKind<String>
  private let byWord: [String: Row]

  init(_ key: String, what: String, _ rows: [Row]) {
    (self.key, self.what, self.rows) = (key, what, rows)
    word = .word(what, rows.map(\.word))
    byWord = Dictionary(uniqueKeysWithValues: rows.map { ($0.word, $0) })
    keys = Set(rows.flatMap(\.fields.keys).map(\.name))
  }

  fileprivate var schemaKey: ObjectSchema.Key {
    ObjectSchema.Key(name: key, help: "", isRequired: true, schema: word.schema)
  }

  fileprivate var words: [ObjectSchema.Word] {
    rows.map { ObjectSchema.Word(name: $0.word, help: $0.help, keys: $0.fields.keys) }
  }

  fileprivate func row(_ word: String) -> Row? { byWord[word] }
}

/// What some keys of one object must be together.
struct Rule<Owner: Sendable>: Sendable {
  private let keys: [String]
  private let run: @Sendable (Owner, JSONNode, inout Reading) -> Void

  /// - Parameters:
  ///   - keys: the keys that the rule depends on. It runs whatever else is wrong with the object, because one pass reports all problems.
  ///   - run: complains if they do not go together.
  init(_ keys: String..., run: @escaping @Sendable (Owner, JSONNode, inout Reading) -> Void) {
    self.keys = keys
    self.run = run
  }

  fileprivate func run(_ owner: Owner, _ members: Members, _ reading: inout Reading) {
    if members.damaged.isDisjoint(with: keys) { run(owner, members.node, &reading) }
  }
}

extension ValueKind {
  /// An object with these fields.
  static func object(_ fields: Fields<Value>, rules: [Rule<Value>] = []) -> ValueKind {
    object(fields, Tag<Value>?.none, rules) { value, _ in value }
  }

  /// An object with these fields, and those that its word brings with it.
  static func object<Common, Part>(
    _ fields: Fields<Common>, tag: Tag<Part>, rules: [Rule<Common>] = [],
    make: @escaping @Sendable (Common, Part) -> Value
  ) -> ValueKind {
    object(fields, tag, rules) { common, part in part.map { make(common, $0) } }
  }

  /// An object whose word decides everything else.
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
      // The word decides which keys belong here.
      if tag == nil || row != nil { members.refuseOthers(than: fields.keys, tag, row, &reading) }
      let start = node.range.lowerBound..<node.range.lowerBound + 1
      for choice in fields.choices { choice.validate(members.object, missingAt: start, &reading) }
      // The keys that seem to be missing may be in the part that could not be read.
      guard members.object.isWhole else { return nil }
      if let part, let row { for rule in row.rules { rule.run(part, members, &reading) } }
      guard let common else { return nil }
      for rule in rules { rule.run(common, members, &reading) }
      guard members.damaged.isEmpty, reading.diagnostics.errorCount == before else { return nil }
      return make(common, part)
    }
  }
}
