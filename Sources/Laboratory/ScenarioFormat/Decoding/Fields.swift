import PlainText

/// The members of one object while it is being decoded.
struct Members {
  let node: JSONNode
  let object: JSONObject
  /// The location to report for a missing key.
  var start: Range<Int>
  /// The text that follows the key in the message about a missing key.
  var suffix = ""
  /// The keys that have no usable value.
  private(set) var damaged: Set<String> = []
  /// The required keys that are missing. They are reported together with the unknown keys, because a misnamed key is both.
  private var missing: [(key: String, problem: Diagnostic)] = []

  /// Creates the members of a node. If the node is not an object, reports this and returns nil.
  init?(_ node: JSONNode, _ reading: inout Reading) {
    guard let object = reading.object(node) else { return nil }
    (self.node, self.object, start) = (node, object, node.start)
  }

  /// Reads the value of a key, or reports that a required key is missing.
  ///
  /// - Parameter hint: what to add for a missing key, such as `"do": "appear"`.
  mutating func value<Value>(
    of name: String, isRequired: Bool, hint: String = "", _ read: (JSONNode, inout Reading) -> Value?,
    _ reading: inout Reading
  ) -> Value? {
    if let member = object[name] {
      let value = read(member.value, &reading)
      if value == nil { damaged.insert(name) }
      return value
    }
    if isRequired { noteMissing(name, hint) }
    return nil
  }

  private mutating func noteMissing(_ key: String, _ hint: String) {
    damaged.insert(key)
    guard object.isWhole else { return }
    // A capital letter is a mistake that a reader does not see.
    let written = object.members.first { $0.key != key && $0.key.lowercased() == key.lowercased() }
    let advice =
      written.map { "write \"\(key)\" instead of \(quoted($0.key))" }
      ?? "add \"\(key)\"" + (hint.isEmpty ? "" : " (\(hint))")
    missing.append((key, Diagnostic(.missing, "missing \"\(key)\"\(suffix)", at: start, advice)))
  }

  /// Reports unknown keys, and missing keys and choices. A misnamed key is reported only once.
  ///
  /// - Parameters:
  ///   - keys: the known keys, or nil if they are unknown because the object lacks the word that determines them.
  ///   - message: a closure that returns the message for an unknown key.
  func reportKeys(
    _ keys: [ObjectSchema.Key]?, _ choices: [Choice], _ reading: inout Reading, message: (String) -> String
  ) {
    let needed = missing.map { [$0.key] } + choices.filter { $0.isMissing(in: object) }.map(\.keys)
    let misnamed = MisnamedKeys(object, keys, needed)
    for one in missing where !misnamed.meant.contains(one.key) { reading.report(one.problem) }
    for choice in choices where misnamed.meant.isDisjoint(with: choice.keys) {
      choice.validate(object, missingAt: node.start, &reading)
    }
    for (member, advice) in misnamed.unknown {
      reading.report(.unknownKey, message(member.key), at: member.keyRange, advice)
    }
  }
}

/// The unknown keys of an object, and the known keys that they probably mean.
private struct MisnamedKeys {
  private(set) var unknown: [(member: JSONObject.Member, advice: String)] = []
  /// The absent keys that an unknown key, or its advice, names.
  private(set) var meant: Set<String> = []

  /// - Parameter needed: the groups of keys of which one must be present, but none is.
  init(_ object: JSONObject, _ keys: [ObjectSchema.Key]?, _ needed: [[String]]) {
    guard let keys else { return }
    let names = keys.map(\.name)
    let free = keys.filter { object[$0.name] == nil }
    let members = object.members.filter { !names.contains($0.key) }
    let places = members.map { ForeignKeys.place(of: $0.key, among: names) }
    var meanings = zip(members, places).map { member, place in
      ForeignKeys.meaning(of: member.key, among: names)
        ?? (place == nil ? Self.similar(to: member, among: free) : nil)
    }
    meant = Set(meanings.compactMap(\.self))
    let open = needed.filter(meant.isDisjoint)
    // A single strange key is probably the single missing key.
    if open.count == 1, let index = meanings.firstIndex(of: nil), meanings.count(where: { $0 == nil }) == 1 {
      let fitting = free.filter { open[0].contains($0.name) && $0.schema.fits(members[index].value) }.map(\.name)
      if places[index] == nil, fitting.count == 1 { meanings[index] = fitting[0] }
      meant.formUnion(places[index].map { place in open[0].filter { place.contains("\"\($0)\"") } } ?? fitting)
    }
    for (index, member) in members.enumerated() {
      let meaning = meanings[index] ?? (places[index] == nil ? Self.similar(to: member, among: keys) : nil)
      unknown.append((member, meaning.map { Spelling.question($0) } ?? places[index] ?? Self.list(names)))
    }
  }

  /// Returns the known key with the most similar name. A key that can have the value takes precedence.
  private static func similar(to member: JSONObject.Member, among keys: [ObjectSchema.Key]) -> String? {
    // A single letter can stand for any word.
    guard member.key.utf8.count > 1 else { return nil }
    return Spelling.nearest(to: member.key, among: keys.filter { $0.schema.fits(member.value) }.map(\.name))
      ?? Spelling.nearest(to: member.key, among: keys.map(\.name))
  }

  private static func list(_ names: [String]) -> String {
    names.count == 1 ? "the only key is \(quoted(names[0]))" : "the keys are \(listed(names))"
  }
}

/// One key of an object, and the kind of its value.
struct Field<Value: Sendable>: Sendable {
  let name: String
  private let kind: ValueKind<Value>
  private let help: String

  init(_ name: String, _ kind: ValueKind<Value>, _ help: String) {
    (self.name, self.kind, self.help) = (name, kind, help)
  }

  var required: Fields<Value> {
    Fields([key(isRequired: true)]) { members, reading in
      members.value(of: name, isRequired: true, hint: help, kind.read, &reading)
    }
  }

  /// The field as an optional key, whose value is nil if the key is absent.
  var optional: Fields<Value?> {
    Fields<Value?>([key(isRequired: false)]) { members, reading in
      .some(members.value(of: name, isRequired: false, kind.read, &reading))
    }
  }

  /// Returns the field as an optional key, whose value defaults to `value`.
  func or(_ value: Value) -> Fields<Value> { optional.map { $0 ?? value } }

  private func key(isRequired: Bool) -> ObjectSchema.Key {
    ObjectSchema.Key(name: name, help: help, isRequired: isRequired, schema: kind.schema)
  }
}

/// A key that sets one property of a value with defaults, such as `limits`.
struct Setting<Owner: Sendable>: Sendable {
  private(set) var key: ObjectSchema.Key
  /// Reads the value and stores it in the owner. If the key is absent, the owner's value does not change.
  fileprivate let read: @Sendable (inout Members, ObjectSchema.Key, inout Owner, inout Reading) -> Void

  init<Value>(
    _ name: String, _ kind: ValueKind<Value>, _ path: any WritableKeyPath<Owner, Value> & Sendable, _ help: String
  ) {
    self.init(ObjectSchema.Key(name: name, help: help, schema: kind.schema)) { members, key, owner, reading in
      if let value = members.value(of: key.name, isRequired: key.isRequired, hint: key.help, kind.read, &reading) {
        owner[keyPath: path] = value
      }
    }
  }

  init<Value>(
    _ name: String, _ kind: ValueKind<Value>, _ path: any WritableKeyPath<Owner, Value?> & Sendable, _ help: String
  ) {
    self.init(name, kind.map { Optional($0) }, path, help)
  }

  /// Creates a setting for a key whose value is decoded elsewhere.
  init(ignoring key: ObjectSchema.Key) {
    self.init(key) { members, key, _, reading in
      _ = members.value(of: key.name, isRequired: key.isRequired, { _, _ in true }, &reading)
    }
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

/// A group of an object's keys that are decoded into one value.
struct Fields<Value: Sendable>: Sendable {
  let keys: [ObjectSchema.Key]
  private(set) var choices: [Choice]
  /// Reads all keys that are present. Returns nil if they do not produce a value.
  let read: @Sendable (inout Members, inout Reading) -> Value?

  fileprivate init(
    _ keys: [ObjectSchema.Key], choices: [Choice] = [],
    read: @escaping @Sendable (inout Members, inout Reading) -> Value?
  ) {
    (self.keys, self.choices, self.read) = (keys, choices, read)
  }

  /// Combines several groups of keys into one value.
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

  /// Creates a group of settings that modify a default value.
  init(_ standard: Value, _ settings: [Setting<Value>]) {
    self.init(settings.map(\.key)) { members, reading in
      var value = standard
      for setting in settings { setting.read(&members, setting.key, &value, &reading) }
      return value
    }
  }

  /// Returns a group of keys of which exactly one must be present.
  ///
  /// - Parameter splits: whether two keys can be written as two entries of a list.
  static func oneOf(_ fields: [Field<Value>], splits: Bool = false) -> Fields {
    let alternatives = fields.map(\.optional)
    let choice = Choice(keys: fields.map(\.name), isRequired: true, splits: splits)
    return Fields(alternatives.flatMap(\.keys), choices: [choice]) { members, reading in
      alternatives.reduce(nil) { found, alternative in
        let value = alternative.read(&members, &reading) ?? nil
        return found ?? value
      }
    }
  }

  /// Returns a copy of these fields with additional constraints on mutually exclusive keys.
  func choosing(_ choices: Choice...) -> Fields {
    var fields = self
    fields.choices += choices
    return fields
  }

  func map<Other: Sendable>(_ transform: @escaping @Sendable (Value) -> Other) -> Fields<Other> {
    Fields<Other>(keys, choices: choices) { members, reading in read(&members, &reading).map(transform) }
  }

  /// Returns fields that also store the source range of the key's value, or of the object if there is no such value.
  func located(_ path: any WritableKeyPath<Value, Range<Int>> & Sendable, at key: String? = nil) -> Fields {
    Fields(keys, choices: choices) { members, reading in
      var value = read(&members, &reading)
      value?[keyPath: path] = (key.flatMap { members.node[$0] } ?? members.node).range
      return value
    }
  }
}
