import PlainText

/// A kind of value, defined by its decoding and its schema.
///
/// The decoder and the schema are defined together, so that they cannot contradict each other.
struct ValueKind<Value: Sendable>: Sendable {
  let schema: Schema
  /// Decodes a node. If the node is invalid, reports this and returns nil.
  let read: @Sendable (JSONNode, inout Reading) -> Value?

  init(_ schema: Schema, _ read: @escaping @Sendable (JSONNode, inout Reading) -> Value?) {
    self.schema = schema
    self.read = read
  }

  /// Returns a kind that transforms the decoded value.
  func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> ValueKind<Other> {
    ValueKind<Other>(schema) { node, reading in read(node, &reading).map(transform) }
  }

  /// Returns a kind with an additional rule, which the schema either cannot express or expresses with `keywords`. The
  /// closure returns the problem, or nil if there is none.
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

  /// Returns a kind that reports a mistake in the whole value once, instead of each of its parts.
  ///
  /// - Parameter problem: a closure that returns the mistake, or nil if there is none.
  func unless(_ problem: @escaping @Sendable (JSONNode, Reading) -> Diagnostic?) -> ValueKind {
    ValueKind(schema) { node, reading in
      guard let problem = problem(node, reading) else { return read(node, &reading) }
      reading.report(problem)
      return nil
    }
  }

  /// Returns a kind whose message about a value of another shape ends with an example to copy.
  ///
  /// - Parameter example: a closure that returns an object or a list, made from the wrong value if possible.
  func example(_ example: @escaping @Sendable (JSONNode, Reading) -> String) -> ValueKind {
    ValueKind(schema) { node, reading in
      let text = example(node, reading)
      switch (node.content, text.first) {
      case (.object, "{"), (.list, "["), (.unreadable, _): return read(node, &reading)
      default:
        // An example would replace the members that were written, unless their keys are paths.
        let member = if case .object(let object) = node.content { object.members.first?.key } else { String?.none }
        let key = member.flatMap { $0.hasPrefix("/") ? nil : $0 }
        let expected = text.first == "{" ? "an object" : "a list"
        reading.wrongKind(
          node, expected: expected,
          key.map { "write brackets around it: [{\(quoted($0)): ...}]" } ?? withoutBrackets(node) ?? "write \(text)")
        return nil
      }
    }
  }

  /// Returns the advice for a list of objects that together are one object of this kind, or nil for other values.
  private func withoutBrackets(_ node: JSONNode) -> String? {
    let members = node.elements.flatMap { element -> [JSONObject.Member] in
      if case .object(let object) = element.content { object.members } else { [] }
    }
    let names = schema.names
    guard !members.isEmpty, names.isEmpty || members.allSatisfy({ names.contains($0.key) }),
      Set(members.map(\.key)).count == members.count
    else { return nil }
    let object = JSONNode(content: .object(JSONObject(members: members)), range: node.range)
    return (node.elements.count == 1 ? "remove the brackets: " : "write one object: ") + object.spelled
  }

  /// Returns a kind whose message about a value of another shape ends with this example.
  func example(_ text: String) -> ValueKind { example { _, _ in text } }

  /// Returns a kind whose message about a value of another shape ends with an example. It contains the number that was
  /// written instead, or the smallest number of the range for `false`.
  func example(_ standard: Int, in range: ClosedRange<Int>, _ text: @escaping @Sendable (Int) -> String) -> ValueKind {
    example { node, _ in
      switch node.content {
      case .number(let number): text(number.integer.flatMap { range.contains($0) ? $0 : nil } ?? standard)
      case .bool(false): text(range.lowerBound)
      default: text(standard)
      }
    }
  }

  /// Returns a kind whose schema has additional keywords.
  func noted(_ keywords: [String: JSONValue]) -> ValueKind {
    keywords.isEmpty ? self : ValueKind(.noted(schema, keywords), read)
  }

  /// Returns a kind whose schema is defined only once, under a name.
  func named(_ name: String) -> ValueKind { ValueKind(.named(name, schema), read) }

  /// Returns a kind that decodes objects with `object` and all other values with `other`.
  static func either(object: ValueKind, other: ValueKind) -> ValueKind {
    ValueKind(.either([other.schema, object.schema])) { node, reading in
      if case .object = node.content { object.read(node, &reading) } else { other.read(node, &reading) }
    }
  }

  /// - Parameter advice: the advice for a list with another number of elements.
  func list(_ count: ClosedRange<Int> = 0...Int.max, _ advice: String? = nil) -> ValueKind<[Value]> {
    ValueKind<[Value]>(.list(of: schema, count: count)) { node, reading in
      guard case .list(let elements) = node.content else {
        reading.wrongKind(node, expected: "a list")
        return nil
      }
      guard count.contains(elements.count) else {
        let few = count.lowerBound.counted("item")
        let expected = count.lowerBound == count.upperBound ? "a list of \(few)" : "a list of at least \(few)"
        reading.report(.wrongValue, "expected \(expected), found \(elements.count)", at: node.range, advice)
        return nil
      }
      var values: [Value] = []
      var failed: Set<Range<Int>> = []
      for element in elements {
        guard !reading.isFull else { return nil }
        // If one round of a repeated step has failed, decoding another round would only repeat the problem.
        guard !failed.contains(element.range) else { continue }
        if let value = read(element, &reading) { values.append(value) } else { failed.insert(element.range) }
      }
      return values.count == elements.count ? values : nil
    }
  }

  /// Rejects duplicate strings in a list.
  ///
  /// Compares only these strings, so that duplicates are reported regardless of other problems in the list.
  ///
  /// - Parameters:
  ///   - key: the key of the string in an element, or nil if the element itself is the string.
  ///   - identity: a closure that returns the value that must be unique for each string.
  ///   - taken: strings that are already in use elsewhere.
  ///   - message: a closure that returns the message for a quoted string.
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

  /// Returns the value kind for a list of words without duplicates.
  func distinct(_ count: ClosedRange<Int> = 0...Int.max) -> ValueKind<[Value]> {
    list(count).noted(["uniqueItems": true]).eachOnce { "\($0) is listed twice" }
  }
}
