import VirtualTime

/// Constraints on the order of some items, and a preference among the other items.
struct ItemOrder {
  struct Pair {
    let before: UInt64
    let after: UInt64
  }

  enum Preference {
    case first(Set<UInt64>)
    case last(Set<UInt64>)
  }

  var pairs: [Pair]
  var preference: Preference?
}

/// Takes the first item that the constraints allow. If the constraints allow no item, the run breaks the order and
/// takes the first item.
final class OrderPolicy: SearchPolicy {
  private let order: ItemOrder
  /// For each item, the items that must run before it.
  private let required: [UInt64: [UInt64]]
  /// The position at which each item was chosen, or at which it ran if there was no choice. An item that joined a queue
  /// was chosen before it ran.
  private(set) var positions: [UInt64: Int] = [:]

  init(_ order: ItemOrder) {
    self.order = order
    required = Dictionary(grouping: order.pairs, by: \.after).mapValues { $0.map(\.before) }
  }

  var observesItems: Bool { true }

  func begin() { positions = [:] }

  func willRun(_ item: ReadyItem) {
    if positions[item.identity] == nil { positions[item.identity] = positions.count }
  }

  func choose(_ choice: Int, from ready: ReadySet) -> Int {
    let allowed = (0..<ready.count).lazy.filter { index in
      self.required[ready[index].identity, default: []].allSatisfy { self.positions[$0] != nil }
    }
    let preferred =
      switch order.preference {
      case nil: allowed.first
      case .first(let items): allowed.first { items.contains(ready[$0].identity) }
      case .last(let items): allowed.first { !items.contains(ready[$0].identity) }
      }
    let index = preferred ?? allowed.first ?? 0
    willRun(ready[index])
    return index
  }
}
