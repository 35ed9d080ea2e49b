/// A FIFO queue in a growable ring. Appending and removing the first element take amortized constant time.
///
/// When a large ring becomes empty, it releases its memory.
@usableFromInline
package struct RingBuffer<Element> {
  /// The maximum capacity of an empty ring.
  @usableFromInline static var kept: Int { 4096 }

  @usableFromInline var slots: ContiguousArray<Element?> = []
  @usableFromInline var head = 0
  @usableFromInline package var count = 0

  @inlinable package init() {}

  @inlinable package var isEmpty: Bool { count == 0 }

  @inlinable package var first: Element? { count == 0 ? nil : slots[head] }

  @inlinable package var last: Element? { count == 0 ? nil : slots[slot(count - 1)] }

  @inlinable package mutating func append(_ element: Element) {
    if count == slots.count { grow() }
    slots[slot(count)] = element
    count += 1
  }

  /// Inserts an element after all elements that it does not precede. An insertion at the end costs as much as `append`.
  @inlinable package mutating func insert(_ element: Element, where precedes: (Element, Element) -> Bool) {
    append(element)
    var offset = count - 1
    while offset > 0, let previous = slots[slot(offset - 1)], precedes(element, previous) {
      slots.swapAt(slot(offset - 1), slot(offset))
      offset -= 1
    }
  }

  @inlinable package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = slots[head].take()
    head = slot(1)
    count -= 1
    if count == 0, slots.count > Self.kept { self = RingBuffer() }
    return element
  }

  @inlinable package mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return slots[slot(count)].take()
  }

  /// Removes the matching elements and returns them, so that the caller can release them outside its lock.
  @inlinable package mutating func removeAll(where matches: (Element) -> Bool) -> [Element] {
    var removed: [Element] = []
    for _ in 0..<count {
      guard let element = popFirst() else { break }
      if matches(element) { removed.append(element) } else { append(element) }
    }
    return removed
  }

  /// The elements, oldest first.
  @inlinable package var elements: [Element] { (0..<count).compactMap { slots[slot($0)] } }

  @inlinable func slot(_ offset: Int) -> Int { (head + offset) & (slots.count - 1) }

  @inlinable mutating func grow() {
    var larger = ContiguousArray<Element?>(repeating: nil, count: max(8, slots.count * 2))
    for offset in 0..<count { larger[offset] = slots[slot(offset)].take() }
    slots = larger
    head = 0
  }
}

extension RingBuffer: Sendable where Element: Sendable {}
