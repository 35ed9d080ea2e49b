/// A queue in a ring that grows: appending and taking the first cost the same however long it is.
@usableFromInline
package struct Fifo<Element> {
  private var slots: ContiguousArray<Element?> = []
  private var head = 0
  package private(set) var count = 0

  @usableFromInline package init() {}

  var isEmpty: Bool { count == 0 }

  var first: Element? { count == 0 ? nil : slots[head] }

  package var last: Element? { count == 0 ? nil : slots[place(count - 1)] }

  package mutating func append(_ element: Element) {
    if count == slots.count { grow() }
    slots[place(count)] = element
    count += 1
  }

  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    defer {
      head = place(1)
      count -= 1
    }
    return slots[head].take()
  }

  /// Takes out those that match and returns them, so that the caller can let go of them where it holds no lock.
  package mutating func removeAll(where matches: (Element) -> Bool) -> [Element] {
    var removed: [Element] = []
    for _ in 0..<count {
      guard let element = popFirst() else { break }
      if matches(element) { removed.append(element) } else { append(element) }
    }
    return removed
  }

  /// The elements, oldest first.
  var elements: [Element] { (0..<count).compactMap { slots[place($0)] } }

  private func place(_ offset: Int) -> Int { (head + offset) & (slots.count - 1) }

  private mutating func grow() {
    var larger = ContiguousArray<Element?>(repeating: nil, count: max(8, slots.count * 2))
    for offset in 0..<count { larger[offset] = slots[place(offset)].take() }
    slots = larger
    head = 0
  }
}

extension Fifo: Sendable where Element: Sendable {}
