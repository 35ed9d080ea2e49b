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

  /// The same, which keeps where the value of a key stands.
  func located(_ path: any WritableKeyPath<Value, SourceLocation> & Sendable, at key: String) -> ValueKind {
    ValueKind(schema) { node, reading in
      guard var value = read(node, &reading) else { return nil }
      value[keyPath: path].range = (node[key] ?? node).range
      return value
    }
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
}
