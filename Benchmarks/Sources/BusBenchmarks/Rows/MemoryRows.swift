import EventBus
import Foundation
import Harness
import HeapCounters
import OpenCombine

/// What a subscription occupies as long as it lasts, with its token and the closure that it calls.
enum MemoryRows {
  private static let subscriptions = 10_000

  static var all: [Row] {
    [
      Row(
        "memory", "memory of each of 10,000 subscriptions", unit: .bytes,
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
    // What is made once for all of them does not count.
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
