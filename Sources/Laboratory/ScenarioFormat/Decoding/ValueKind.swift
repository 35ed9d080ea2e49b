import Bytes

/// One kind of value: how it is read from a file, and what the schema says of it.
///
/// Both are made here, so that neither can allow what the other forbids.
struct ValueKind<Value: Sendable>: Sendable {
  let schema: Schema
  /// Returns nil after reporting why.
  let read: @Sendable (JSONNode, inout Reading) -> Value?

  init(_ schema: Schema, _ read: @escaping @Sendable (JSONNode, inout Reading) -> Value?) {
    self.schema = schema
    self.read = read
  }

  /// The same value in another form.
  func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> ValueKind<Other> {
    ValueKind<Other>(schema) { node, reading in read(node, &reading).map(transform) }
  }

  /// The same with a rule that the schema cannot express, or expresses with `keywords`: what is wrong, or nil.
  func validated(
    _ keywords: [String: JSONValue] = [:],
    _ problem: @escaping @Sendable (Value, JSONNode, inout Reading) -> Diagnostic?
  ) -> ValueKind {
    ValueKind(noted(keywords).schema) { node, reading in
      guard let value = read(node, &reading) else { return nil }
      guard let problem = problem(value, node, &reading) else { return value }
      reading.report(problem)
      return nil
    }
  }

  /// The same, of which the schema says more.
  func noted(_ keywords: [String: JSONValue]) -> ValueKind {
    keywords.isEmpty ? self : ValueKind(.noted(schema, keywords), read)
  }

  /// The same, which the schema defines once under a name.
  func named(_ name: String) -> ValueKind { ValueKind(.named(name, schema), read) }

  /// `object` for an object, `other` for everything else.
  static func either(object: ValueKind, other: ValueKind) -> ValueKind {
    ValueKind(.either([other.schema, object.schema])) { node, reading in
      if case .object = node.content { object.read(node, &reading) } else { other.read(node, &reading) }
    }
  }

  func list(_ count: ClosedRange<Int> = 0...Int.max) -> ValueKind<[Value]> {
    ValueKind<[Value]>(.list(of: schema, count: count)) { node, reading in
      guard case .list(let elements) = node.content else {
        reading.wrongKind(node, expected: "a list")
        return nil
      }
      guard count.contains(elements.count) else {
        let few = count.lowerBound.counted("item")
        let expected = count.lowerBound == count.upperBound ? "a list of \(few)" : "a list of at least \(few)"
        reading.report(.wrongValue, "expected \(expected), found \(elements.count)", at: node.range)
        return nil
      }
      var values: [Value] = []
      var failed: Set<Range<Int>> = []
      for element in elements {
        guard !reading.isFull else { return nil }
        // The next round of a repeated step that failed says nothing new.
        guard !failed.contains(element.range) else { continue }
        if let value = read(element, &reading) { values.append(value) } else { failed.insert(element.range) }
      }
      return values.count == elements.count ? values : nil
    }
  }

  /// The same list, where each text is there once.
  ///
  /// It looks at the texts alone, so that duplicates are reported whatever else is wrong with the list.
  ///
  /// - Parameters:
  ///   - key: where the text of an element stands; nil if the element is the text.
  ///   - identity: what two texts must not have in common.
  ///   - taken: texts that are there already.
  ///   - message: what is wrong, about the text in its quotes.
  func eachOnce<Element>(
    _ key: String? = nil, by identity: @escaping @Sendable (String) -> AnyHashable = { $0 },
    beside taken: Set<String> = [], advice: String = "keep one of them",
    _ message: @escaping @Sendable (String) -> String
  ) -> ValueKind where Value == [Element] {
    ValueKind(schema) { node, reading in
      let before = reading.diagnostics.errorCount
      var known = Set(taken.map(identity))
      for element in node.elements {
        guard let text = key.map({ element[$0] }) ?? element, let word = text.word,
          !known.insert(identity(word)).inserted
        else {
          continue
        }
        reading.report(.duplicate, message(quoted(word)), at: text.range, advice)
      }
      let hasTwins = reading.diagnostics.errorCount > before
      let value = read(node, &reading)
      return hasTwins ? nil : value
    }
  }

  /// A list of words, each there once.
  func distinct(_ count: ClosedRange<Int> = 0...Int.max) -> ValueKind<[Value]> {
    list(count).noted(["uniqueItems": true]).eachOnce { "\($0) is there already" }
  }
}
