/// A queue in a ring that grows, and that gives a large burst's memory back: appending and taking the first cost the same
/// however long it is.
@usableFromInline
package struct RingBuffer<Element> {
  /// An empty ring keeps no more places than this.
  private static var kept: Int { 4096 }

  private var slots: ContiguousArray<Element?> = []
  private var head = 0
  package private(set) var count = 0

  @usableFromInline package init() {}

  package var isEmpty: Bool { count == 0 }

  package var first: Element? { count == 0 ? nil : slots[head] }

  package var last: Element? { count == 0 ? nil : slots[place(count - 1)] }

  package mutating func append(_ element: Element) {
    if count == slots.count { grow() }
    slots[place(count)] = element
    count += 1
  }

  /// Inserts behind all that it does not precede: as quick as appending where it is the last.
  mutating func insert(_ element: Element, where precedes: (Element, Element) -> Bool) {
    append(element)
    var offset = count - 1
    while offset > 0, let previous = slots[place(offset - 1)], precedes(element, previous) {
      slots.swapAt(place(offset - 1), place(offset))
      offset -= 1
    }
  }

  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = slots[head].take()
    head = place(1)
    count -= 1
    if count == 0, slots.count > Self.kept { self = RingBuffer() }
    return element
  }

  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return slots[place(count)].take()
  }

  /// Takes out those that match and returns them, so that the caller can release them where it holds no lock.
  package mutating func removeAll(where matches: (Element) -> Bool) -> [Element] {
    var removed: [Element] = []
    for _ in 0..<count {
      guard let element = popFirst() else { break }
      if matches(element) { removed.append(element) } else { append(element) }
    }
    return removed
  }

  /// The elements, oldest first.
  package var elements: [Element] { (0..<count).compactMap { slots[place($0)] } }

  private func place(_ offset: Int) -> Int { (head + offset) & (slots.count - 1) }

  private mutating func grow() {
    var larger = ContiguousArray<Element?>(repeating: nil, count: max(8, slots.count * 2))
    for offset in 0..<count { larger[offset] = slots[place(offset)].take() }
    slots = larger
    head = 0
  }
}

extension RingBuffer: Sendable where Element: Sendable {}
