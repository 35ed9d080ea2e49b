import Bytes

/// One kind of value: its decoding and its schema.
///
/// Both are defined together, so that they cannot contradict each other.
struct ValueKind<Value: Sendable>: Sendable {
  let schema: Schema
  /// Returns nil after a report.
  let read: @Sendable (JSONNode, inout Reading) -> Value?

  init(_ schema: Schema, _ read: @escaping @Sendable (JSONNode, inout Reading) -> Value?) {
    self.schema = schema
    self.read = read
  }

  /// Transforms the value.
  func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> ValueKind<Other> {
    ValueKind<Other>(schema) { node, reading in read(node, &reading).map(transform) }
  }

  /// Adds a rule that the schema cannot express, or expresses with `keywords`. It returns the problem, or nil.
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

  /// Adds keywords to the schema.
  func noted(_ keywords: [String: JSONValue]) -> ValueKind {
    keywords.isEmpty ? self : ValueKind(.noted(schema, keywords), read)
  }

  /// Defines the schema once, under a name.
  func named(_ name: String) -> ValueKind { ValueKind(.named(name, schema), read) }

  /// `object` for an object, `other` for any other value.
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
        // After a failed round of a repeated step, another round adds nothing.
        guard !failed.contains(element.range) else { continue }
        if let value = read(element, &reading) { values.append(value) } else { failed.insert(element.range) }
      }
      return values.count == elements.count ? values : nil
    }
  }

  /// Rejects duplicate texts in a list.
  ///
  /// It compares only the texts, so that duplicates are reported whatever else is wrong with the list.
  ///
  /// - Parameters:
  ///   - key: the key of the text in an element, or nil if the element is the text.
  ///   - identity: the value that two texts must not share.
  ///   - taken: texts that are already in use.
  ///   - message: the problem, for the quoted text.
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

  /// A list of words without duplicates.
  func distinct(_ count: ClosedRange<Int> = 0...Int.max) -> ValueKind<[Value]> {
    list(count).noted(["uniqueItems": true]).eachOnce { "\($0) is listed twice" }
  }
}
