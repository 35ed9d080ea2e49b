import EventBus
import Foundation
import Harness
import OpenCombine

/// The costs of one post besides its handlers: allocations and reference counting.
enum CostRows {
  private static let posts = 1000

  static var all: [Row] {
    [
      Row(
        "allocations", "heap allocations of a post, 1 inline subscriber", unit: .calls,
        [
          .count(Names.bus, atMost: 0) { bus(1).allocations },
          .count(Names.center) { center(1).allocations },
          .count(Names.subject) { subject(1).allocations },
          .count(Names.list) { list(1).allocations },
        ]),
      Row(
        "references", "retains and releases of a post, 1 inline subscriber", unit: .calls,
        [
          .count(Names.bus) { bus(1).references },
          .count(Names.center) { center(1).references },
          .count(Names.subject) { subject(1).references },
          .count(Names.list) { list(1).references },
        ]),
      Row(
        "references-more", "retains and releases per additional inline subscriber, up to 1000", unit: .calls,
        [
          .count(Names.bus, atMost: 0) { further(bus) },
          .count(Names.center) { further(center) },
          .count(Names.subject) { further(subject) },
          .count(Names.list) { further(list) },
        ]),
    ]
  }

  private static func further(_ cost: (_ subscribers: Int) -> Heap.Counts) -> Double? {
    guard let one = cost(1).references, let thousand = cost(1000).references else { return nil }
    return (thousand - one) / 999
  }

  /// The mean over many posts. A first post performs the one-time allocations.
  private static func perPost(_ post: (Int) -> Void) -> Heap.Counts {
    post(0)
    return Heap.counts { for number in 0..<posts { post(number) } }.divided(by: posts)
  }

  private static func bus(_ subscribers: Int) -> Heap.Counts {
    let bus = EventBus()
    let tally = Tally()
    let subscriptions = (0..<subscribers).map { _ in
      bus.subscribe(to: Tick.self) { [cell = tally.cell] _ in cell.increment() }
    }
    defer { tally.expect((posts + 1) * subscriptions.count) }
    return perPost { bus.post(Tick(number: $0)) }
  }

  private static func center(_ subscribers: Int) -> Heap.Counts {
    let center = NotificationCenter()
    let tally = Tally()
    let observers = (0..<subscribers).map { _ in
      center.addObserver(forName: .tick, object: nil, queue: nil) { [cell = tally.cell] _ in cell.increment() }
    }
    defer { tally.expect((posts + 1) * observers.count) }
    return perPost { _ in center.post(name: .tick, object: nil) }
  }

  private static func subject(_ subscribers: Int) -> Heap.Counts {
    let subject = PassthroughSubject<Tick, Never>()
    let tally = Tally()
    let subscriptions = (0..<subscribers).map { _ in
      subject.sink { [cell = tally.cell] _ in cell.increment() }
    }
    defer { tally.expect((posts + 1) * subscriptions.count) }
    return perPost { subject.send(Tick(number: $0)) }
  }

  private static func list(_ subscribers: Int) -> Heap.Counts {
    let list = ClosureList<Tick>()
    let tally = Tally()
    for _ in 0..<subscribers {
      list.add { [cell = tally.cell] _ in cell.increment() }
    }
    defer { tally.expect((posts + 1) * subscribers) }
    return perPost { list.post(Tick(number: $0)) }
  }
}
