/// An object with a table of fields, of which a word may decide some.
struct Form<Owner: Sendable>: Sendable {
  /// What an object without any key is.
  let empty: Owner
  var choices: [Choice] = []
  var fields: [Field<Owner>] = []
  /// The word that brings further fields with it; nil where there is none.
  var tag: Tag<Owner>?
  var rules: [Rule<Owner>] = []

  /// The object as a kind of value.
  var kind: ValueKind<Owner> {
    let schema = ObjectSchema(keys: fields.map(\.key), tag: tag?.key, words: tag?.words ?? [], choices: choices)
    return ValueKind(.object(schema)) { node, reading in
      guard case .object(let object) = node.content else {
        reading.wrongKind(node, expected: "an object")
        return nil
      }
      let before = reading.diagnostics.errorCount
      var owner = empty
      let start = node.range.lowerBound..<node.range.lowerBound + 1
      let chosen = tag?.read(object, missingAt: start, &reading)
      chosen?.choose(&owner)
      var damaged = read(fields, object, missingAt: start, &owner, &reading)
      if let tag, let chosen, let location = object[tag.key]?.value.range {
        let whom = " for the \(tag.what) \"\(chosen.word)\""
        damaged.formUnion(read(chosen.fields, object, missingAt: location, of: whom, &owner, &reading))
      } else if let tag {
        damaged.insert(tag.key)
      }
      // Which keys belong here depends on the word.
      if tag == nil || chosen != nil { refuseOthers(in: object, chosen, &reading) }
      for choice in choices { choice.validate(object, missingAt: start, &reading) }
      // What is missing in a part that could not be read may have been there.
      guard object.isWhole else { return nil }
      for rule in rules { rule.run(owner, node, except: damaged, &reading) }
      return damaged.isEmpty && reading.diagnostics.errorCount == before ? owner : nil
    }
  }

  /// Reads every field that is there, and complains about a required one that is not.
  ///
  /// - Returns: the keys of those that could not be read.
  private func read(
    _ fields: [Field<Owner>], _ object: JSONObject, missingAt location: Range<Int>, of whom: String = "",
    _ owner: inout Owner, _ reading: inout Reading
  ) -> Set<String> {
    var damaged: Set<String> = []
    for field in fields {
      if let member = object[field.name] {
        if !field.read(member.value, &owner, &reading) { damaged.insert(field.name) }
      } else if field.key.isRequired {
        damaged.insert(field.name)
        guard object.isWhole else { continue }
        reading.report(.missing, "missing \"\(field.name)\"\(whom)", at: location, "add \"\(field.name)\"")
      }
    }
    return damaged
  }

  /// Complains about keys that no field has, or only with another word.
  private func refuseOthers(in object: JSONObject, _ chosen: Tag<Owner>.Case?, _ reading: inout Reading) {
    let names = (tag.map { [$0.key] } ?? []) + (fields + (chosen?.fields ?? [])).map(\.name)
    for member in object.members where !names.contains(member.key) {
      if let tag, let chosen, tag.keys.contains(member.key) {
        reading.report(
          .unknownKey, "the \(tag.what) \"\(chosen.word)\" has no \(quoted(member.key))", at: member.keyRange,
          "there are \(listed(names))")
      } else {
        reading.unknownKey(member.key, among: names, at: member.keyRange)
      }
    }
  }
}
