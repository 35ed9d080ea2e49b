import Foundation
import PlainText
import SeededNumbers

@testable import ScenarioEngine
@testable import ScenarioFormat

/// A mutator of a scenario's members. The text stays valid JSON, but its keys and values become unusual.
struct KeyMutator {
  private static let values: [JSONValue] = [
    .null, true, false, -1, 0, 1, .integer(.max), .number(1e300), .number(0.5), "", "x", "A", "B", "0ms", "1us",
    "3600s",
    "detail", "fetch.done", "select", "placeholder", "/a.png", "//[::1]/", "e\u{301}", "\u{E9}", "\u{1B}[31m", "\u{0}",
    .string(String(repeating: "x", count: 5000)), .list([]), .object([:]), ["A"], ["event": "note"],
    ["uniform": ["0ms", "1ms"]], ["bytes": 3],
  ]

  /// All keys that have been changed so far.
  private(set) var touched: Set<String> = []
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// Returns the value with one change at a random member. All members are equally likely.
  mutating func mutate(_ value: JSONValue) -> JSONValue {
    var place = Int.random(in: 0..<max(1, Self.members(in: value)), using: &generator)
    return change(value, &place)
  }

  private static func members(in value: JSONValue) -> Int {
    switch value {
    case .object(let members): members.values.reduce(members.count) { $0 + self.members(in: $1) }
    case .list(let items): items.reduce(0) { $0 + members(in: $1) }
    default: 0
    }
  }

  /// Changes the member at `place`, which the traversal counts down to zero.
  private mutating func change(_ value: JSONValue, _ place: inout Int) -> JSONValue {
    switch value {
    case .object(var members):
      for (key, old) in members.sorted(by: { $0.key < $1.key }) where place >= 0 {
        place -= 1
        if place < 0 { changeMember(key, old, &members) } else { members[key] = change(old, &place) }
      }
      return .object(members)
    case .list(let items): return .list(items.map { place < 0 ? $0 : change($0, &place) })
    default: return value
    }
  }

  private mutating func changeMember(_ key: String, _ old: JSONValue, _ members: inout [String: JSONValue]) {
    touched.insert(key)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: members[key] = nil
    case 1: members[members.keys.sorted().randomElement(using: &generator) ?? key] = old
    case 2: members[key + "x"] = old
    case 3: members[key] = changedItems(old)
    default: members[key] = any()
    }
  }

  private mutating func changedItems(_ value: JSONValue) -> JSONValue {
    guard case .list(var items) = value, let index = items.indices.randomElement(using: &generator) else {
      return [any()]
    }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: items.remove(at: index)
    case 1: items += Array(repeating: items[index], count: Int.random(in: 1...50, using: &generator))
    case 2: items.swapAt(index, 0)
    default: items[index] = any()
    }
    return .list(items)
  }

  private mutating func any() -> JSONValue { Self.values.randomElement(using: &generator) ?? .null }
}
