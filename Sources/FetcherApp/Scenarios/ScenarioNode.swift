/// A value of a scenario file that knows where it stands, so that every complaint can say so.
struct ScenarioNode {
  let value: JSONValue
  let path: String

  func wrong(_ reason: String) -> ScenarioError { ScenarioError(path: path, reason: reason) }

  /// The members of an object, each of them known.
  func object(_ known: [String]) throws(ScenarioError) -> [String: ScenarioNode] {
    guard case .object(let members) = value else { throw wrong("must be an object, not \(value.kind)") }
    for key in members.keys.sorted() where !known.contains(key) {
      let hint = Spelling.nearest(to: key, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
      throw wrong("unknown key \"\(key)\"\(hint)")
    }
    let prefix = path.isEmpty ? "" : path + "."
    return Dictionary(
      uniqueKeysWithValues: members.map { ($0.key, ScenarioNode(value: $0.value, path: prefix + $0.key)) })
  }

  func list() throws(ScenarioError) -> [ScenarioNode] {
    guard case .list(let items) = value else { throw wrong("must be a list, not \(value.kind)") }
    return items.enumerated().map { ScenarioNode(value: $0.element, path: "\(path)[\($0.offset)]") }
  }

  func string() throws(ScenarioError) -> String {
    guard case .string(let text) = value else { throw wrong("must be a string, not \(value.kind)") }
    return text
  }

  func integer(_ range: ClosedRange<Int>) throws(ScenarioError) -> Int {
    guard case .number(let number) = value, let integer = Int(exactly: number), range.contains(integer) else {
      throw wrong("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  /// A string that is one of `words`.
  func word(_ kind: String, _ words: [String]) throws(ScenarioError) -> String {
    let text = try string()
    if words.contains(text) { return text }
    let hint = Spelling.nearest(to: text, among: words).map { "did you mean \"\($0)\"?" }
    throw wrong("unknown \(kind) \"\(text)\"; \(hint ?? "there are \(words.joined(separator: ", "))")")
  }

  /// A duration with its unit: `250us`, `30ms`, `1.5s`.
  func duration() throws(ScenarioError) -> Duration {
    guard case .string(let text) = value else {
      throw wrong("a duration needs a unit, as in \"30ms\"; this is \(value.kind)")
    }
    let units: [(String, Duration)] = [("us", .microseconds(1)), ("ms", .milliseconds(1)), ("s", .seconds(1))]
    guard let (unit, length) = units.first(where: { text.hasSuffix($0.0) }),
      let number = Double(text.dropLast(unit.count)), number.isFinite, number >= 0, number < 1_000_000
    else { throw wrong("\"\(text)\" is no duration; write \"250us\", \"30ms\" or \"1.5s\"") }
    return length * number
  }
}

extension [String: ScenarioNode] {
  /// The member of that name.
  func required(_ key: String, of node: ScenarioNode) throws(ScenarioError) -> ScenarioNode {
    guard let member = self[key] else { throw node.wrong("\"\(key)\" is missing") }
    return member
  }
}
