/// A binary heap, whose first element is the least. Inserting and removing take logarithmic time.
@usableFromInline
package struct Heap<Element: Comparable> {
  @usableFromInline package var elements: [Element] = []

  @inlinable package init() {}

  @inlinable package var first: Element? { elements.first }

  @inlinable package var count: Int { elements.count }

  @inlinable package mutating func insert(_ element: Element) {
    elements.append(element)
    rise(from: elements.count - 1)
  }

  /// Removes and returns the element at an index of ``elements``.
  @inlinable
  @discardableResult
  package mutating func remove(at index: Int) -> Element {
    let removed = elements[index]
    let last = elements.removeLast()
    guard index < elements.count else { return removed }
    elements[index] = last
    if last < removed { rise(from: index) } else { sink(from: index) }
    return removed
  }

  @inlinable package mutating func removeAll(where matches: (Element) -> Bool) {
    elements.removeAll(where: matches)
    // A sorted array is also a heap.
    elements.sort()
  }

  @inlinable mutating func rise(from index: Int) {
    var index = index
    let element = elements[index]
    while index > 0 {
      let parent = (index - 1) / 2
      guard element < elements[parent] else { break }
      elements[index] = elements[parent]
      index = parent
    }
    elements[index] = element
  }

  @inlinable mutating func sink(from index: Int) {
    var index = index
    let element = elements[index]
    while true {
      var child = 2 * index + 1
      guard child < elements.count else { break }
      if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
      guard elements[child] < element else { break }
      elements[index] = elements[child]
      index = child
    }
    elements[index] = element
  }
}

extension Heap: Sendable where Element: Sendable {}
