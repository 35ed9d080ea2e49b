import FetcherModel
import PlainText
import ScenarioFormat

/// Finds the positions of the events that match a pattern. The index reads each event only once per pattern shape,
/// regardless of the number of patterns.
final class TraceIndex {
  /// The attributes that a pattern names.
  private struct Shape: Hashable {
    let kind: TraceKind
    let attributes: [TraceAttribute]
  }

  private let events: [RunEvent]
  private let byKind: [TraceKind: [Int]]
  private var groups: [Shape: [[UTF8String]: [Int]]] = [:]

  init(_ events: [RunEvent]) {
    self.events = events
    byKind = Dictionary(grouping: events.indices) { events[$0].kind }
  }

  /// All positions of matching events, in order.
  func positions(_ pattern: EventPattern) -> [Int] {
    let attributes = TraceAttribute.allCases.filter { pattern.values[$0] != nil }
    let shape = Shape(kind: pattern.kind, attributes: attributes)
    let groups = groups[shape] ?? group(shape)
    return groups[attributes.map { UTF8String(pattern.values[$0] ?? "") }] ?? []
  }

  /// The position of the first match at or after a position.
  func first(_ pattern: EventPattern, from position: Int = 0) -> Int? {
    let positions = positions(pattern)
    let index = positions.lowerBound { $0 >= position }
    return index < positions.count ? positions[index] : nil
  }

  /// The position of the first match that lacks at least one of these values.
  func first(_ pattern: EventPattern, without values: TraceValues) -> Int? {
    let all = positions(pattern)
    let isPossible = values.allSatisfy { attribute, text in
      pattern.values[attribute].map { UTF8String($0) == UTF8String(text) } ?? true
    }
    var both = pattern
    for (attribute, text) in values where both.values[attribute] == nil { both.values[attribute] = text }
    let having = isPossible ? positions(both) : []
    // The matches with these values are a subset of all matches. Both lists are equal up to the first match that
    // lacks one of these values.
    let index = all.indices.lowerBound { $0 >= having.count || having[$0] != all[$0] }
    return index < all.count ? all[index] : nil
  }

  private func group(_ shape: Shape) -> [[UTF8String]: [Int]] {
    var found: [[UTF8String]: [Int]] = [:]
    for position in byKind[shape.kind] ?? [] {
      let event = events[position]
      let values = shape.attributes.compactMap { event[$0] }
      guard values.count == shape.attributes.count else { continue }
      guard let index = shape.attributes.firstIndex(where: \.isList) else {
        found[values.map { UTF8String($0) }, default: []].append(position)
        continue
      }
      // If a value is a list, each of its lines can match. No kind of event has two lists.
      for line in Set(values[index].split(separator: "\n")) {
        var key = values
        key[index] = String(line)
        found[key.map { UTF8String($0) }, default: []].append(position)
      }
    }
    groups[shape] = found
    return found
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index at which the condition holds. The condition must also hold at every later index.
  package func lowerBound(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
