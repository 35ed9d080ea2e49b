import Scheduling

/// A binary heap of timers, ordered by due time and then by number.
///
/// Cancelled timers stay in the heap until they reach the top or form the majority.
struct TimerHeap: Sendable {
  struct Entry: Comparable, Sendable {
    let due: Duration
    let number: Int
    let slot: Int

    static func < (one: Entry, other: Entry) -> Bool {
      one.due == other.due ? one.number < other.number : one.due < other.due
    }
  }

  private var heap = Heap<Entry>()
  private var cancelled = 0

  var entries: [Entry] { heap.elements }

  var first: Entry? { heap.first }

  /// Appends the timers that are due at the same time as the first one, in no particular order.
  func appendTies(to list: inout [Entry], _ items: [RunQueue.Item], from index: Int = 0) {
    guard index < entries.count, entries[index].due == entries[0].due else { return }
    if items[entries[index].slot].waits(as: entries[index]) { list.append(entries[index]) }
    appendTies(to: &list, items, from: 2 * index + 1)
    appendTies(to: &list, items, from: 2 * index + 2)
  }

  mutating func insert(_ entry: Entry) { heap.insert(entry) }

  mutating func remove(_ entry: Entry, _ items: [RunQueue.Item]) {
    if let index = entries.firstIndex(where: { $0.number == entry.number }) { heap.remove(at: index) }
    dropCancelled(items)
  }

  /// Counts a cancelled timer, and removes cancelled timers if necessary.
  mutating func noteCancel(_ items: [RunQueue.Item]) {
    cancelled += 1
    dropCancelled(items)
    guard cancelled > 16, cancelled > entries.count / 2 else { return }
    heap.removeAll { !items[$0.slot].waits(as: $0) }
    cancelled = 0
  }

  /// Removes cancelled timers from the top.
  private mutating func dropCancelled(_ items: [RunQueue.Item]) {
    while cancelled > 0, let first, !items[first.slot].waits(as: first) {
      heap.remove(at: 0)
      cancelled -= 1
    }
  }
}
