/// A binary heap of timers, ordered by due time and then by number.
///
/// Cancelled timers stay in the heap until they reach the top or form the majority.
struct TimerHeap: Sendable {
  struct Entry: Sendable {
    let due: Duration
    let number: Int
    let slot: Int

    static func < (one: Entry, other: Entry) -> Bool {
      one.due == other.due ? one.number < other.number : one.due < other.due
    }
  }

  private(set) var entries: [Entry] = []
  private var cancelled = 0

  var first: Entry? { entries.first }

  /// Appends the timers that are due at the same time as the first one, in no particular order.
  func appendTies(to list: inout [Entry], _ items: [RunQueue.Item], from index: Int = 0) {
    guard index < entries.count, entries[index].due == entries[0].due else { return }
    if items[entries[index].slot].waits(as: entries[index]) { list.append(entries[index]) }
    appendTies(to: &list, items, from: 2 * index + 1)
    appendTies(to: &list, items, from: 2 * index + 2)
  }

  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    rise(from: entries.count - 1)
  }

  mutating func remove(_ entry: Entry, _ items: [RunQueue.Item]) {
    if let index = entries.firstIndex(where: { $0.number == entry.number }) { remove(at: index) }
    dropCancelled(items)
  }

  /// Counts a cancelled timer, and removes cancelled timers if necessary.
  mutating func noteCancel(_ items: [RunQueue.Item]) {
    cancelled += 1
    dropCancelled(items)
    guard cancelled > 16, cancelled > entries.count / 2 else { return }
    entries.removeAll { !items[$0.slot].waits(as: $0) }
    // A sorted array is also a heap.
    entries.sort(by: <)
    cancelled = 0
  }

  /// Removes cancelled timers from the top.
  private mutating func dropCancelled(_ items: [RunQueue.Item]) {
    while cancelled > 0, let first, !items[first.slot].waits(as: first) {
      remove(at: 0)
      cancelled -= 1
    }
  }

  private mutating func remove(at index: Int) {
    let last = entries.removeLast()
    guard index < entries.count else { return }
    let isEarlier = last < entries[index]
    entries[index] = last
    if isEarlier { rise(from: index) } else { sink(from: index) }
  }

  private mutating func rise(from index: Int) {
    var index = index
    let entry = entries[index]
    while index > 0 {
      let parent = (index - 1) / 2
      guard entry < entries[parent] else { break }
      entries[index] = entries[parent]
      index = parent
    }
    entries[index] = entry
  }

  private mutating func sink(from index: Int) {
    var index = index
    let entry = entries[index]
    while true {
      var child = 2 * index + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1] < entries[child] { child += 1 }
      guard entries[child] < entry else { break }
      entries[index] = entries[child]
      index = child
    }
    entries[index] = entry
  }
}
