import EventBus
import Foundation
import Harness
import HeapCounters
import OpenCombine

/// The memory of a subscription, with its token and its closure.
enum MemoryRows {
  private static let subscriptions = 10_000

  static var all: [Row] {
    [
      Row(
        "memory", "memory per subscription, of 10,000", unit: .bytes,
        [
          .count(Names.bus, bus),
          .count(Names.center, center),
          .count(Names.subject, subject),
          .count(Names.list, list),
        ])
    ]
  }

  private static func bytes<Token>(_ subscribe: (Tally.Cell) -> Token) -> Double? {
    let tally = Tally()
    var tokens: [Token] = []
    tokens.reserveCapacity(subscriptions)
    // The first subscription performs the shared allocations, which do not count.
    let first = subscribe(tally.cell)
    let counts = Heap.counts { for _ in 0..<subscriptions { tokens.append(subscribe(tally.cell)) } }
    return withExtendedLifetime((first, tokens)) {
      counts.bytes.map { $0 / Double(subscriptions) }
    }
  }

  private static func bus() -> Double? {
    let bus = EventBus()
    return bytes { cell in bus.subscribe(to: Tick.self) { _ in cell.increment() } }
  }

  private static func center() -> Double? {
    let center = NotificationCenter()
    return bytes { cell in
      center.addObserver(forName: .tick, object: nil, queue: nil) { _ in cell.increment() }
    }
  }

  private static func subject() -> Double? {
    let subject = PassthroughSubject<Tick, Never>()
    return bytes { cell in subject.sink { _ in cell.increment() } }
  }

  private static func list() -> Double? {
    let list = ClosureList<Tick>()
    return bytes { cell in list.add { _ in cell.increment() } }
  }
}
