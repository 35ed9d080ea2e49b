import Foundation

@testable import ScenarioEngine
@testable import ScenarioFormat

/// Changes scenarios where their keys stand: the text stays JSON, and what it says gets strange.
struct KeyMutator {
  private static let values: [JSONValue] = [
    .null, true, false, -1, 0, 1, .integer(.max), .number(1e300), .number(0.5), "", "x", "A", "B", "0ms", "1us",
    "3600s",
    "detail", "fetch.done", "select", "placeholder", "/a.png", "//[::1]/", "e\u{301}", "\u{E9}", "\u{1B}[31m", "\u{0}",
    .string(String(repeating: "x", count: 5000)), .list([]), .object([:]), ["A"], ["event": "note"],
    ["uniform": ["0ms", "1ms"]], ["bytes": 3],
  ]

  /// All keys that were changed so far.
  private(set) var touched: Set<String> = []
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The same value with one change somewhere in it.
  mutating func mutate(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(var members):
      guard let key = members.keys.sorted().randomElement(using: &generator), let old = members[key] else {
        return any()
      }
      if goesDeeper(old) {
        members[key] = mutate(old)
        return .object(members)
      }
      touched.insert(key)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: members[key] = nil
      case 1: members[members.keys.sorted().randomElement(using: &generator) ?? key] = old
      case 2: members[key + "x"] = old
      default: members[key] = any()
      }
      return .object(members)
    case .list(var items):
      guard let index = items.indices.randomElement(using: &generator) else { return [any()] }
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: items.remove(at: index)
      case 1: items += Array(repeating: items[index], count: Int.random(in: 1...50, using: &generator))
      case 2: items.swapAt(index, 0)
      case 3: items[index] = any()
      default: items[index] = mutate(items[index])
      }
      return .list(items)
    default: return any()
    }
  }

  private mutating func goesDeeper(_ value: JSONValue) -> Bool {
    switch value {
    case .object, .list: Int.random(in: 0..<8, using: &generator) > 0
    default: false
    }
  }

  private mutating func any() -> JSONValue { Self.values.randomElement(using: &generator) ?? .null }
}
