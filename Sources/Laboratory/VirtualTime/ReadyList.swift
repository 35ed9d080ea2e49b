/// The slots of ready items, in the order in which they became ready.
struct ReadyList: Sendable {
  private struct Entry: Sendable {
    let order: Int
    let slot: Int
  }

  private var entries: [Entry] = []
  /// The index of the first slot that is still in the list. Most removals are at the front.
  private var start = 0

  init() { entries.reserveCapacity(16) }

  var count: Int { entries.count - start }
  var isEmpty: Bool { entries.count == start }
  var last: Int? { isEmpty ? nil : entries[entries.count - 1].slot }

  subscript(index: Int) -> Int { entries[start + index].slot }

  func index(of slot: Int) -> Int? { (0..<count).first { self[$0] == slot } }

  /// Inserts a slot, usually at the end. An item that waited behind another one belongs before items that joined a
  /// queue later.
  mutating func insert(_ slot: Int, order: Int) {
    var index = entries.count
    while index > start, entries[index - 1].order > order { index -= 1 }
    let entry = Entry(order: order, slot: slot)
    if index == entries.count { entries.append(entry) } else { entries.insert(entry, at: index) }
  }

  /// Inserts a slot before all others.
  mutating func insertFirst(_ slot: Int) {
    let entry = Entry(order: isEmpty ? 0 : entries[start].order - 1, slot: slot)
    if start > 0 {
      start -= 1
      entries[start] = entry
    } else {
      entries.insert(entry, at: 0)
    }
  }

  mutating func remove(at index: Int) -> Int {
    guard index == 0 else { return entries.remove(at: start + index).slot }
    let slot = entries[start].slot
    start += 1
    if start == entries.count {
      entries.removeAll(keepingCapacity: true)
      start = 0
    } else if start > 32, start > entries.count / 2 {
      entries.removeFirst(start)
      start = 0
    }
    return slot
  }
}
