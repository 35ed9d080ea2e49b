import Dispatch
import EventBus
import Foundation
import Harness

/// Two threads that post at the same time. Twice the throughput of one thread appears as half the time per post.
enum PosterRows {
  static var all: [Row] {
    [
      Row(
        "posters-2-types", "2 posters, 2 types, 1 inline subscriber each",
        [
          .ours(Names.bus, operations: 2) { busOfTwoTypes(posters: 2) },
          .peer("EventBus, 1 poster", atLeast: 1.7) { busOfTwoTypes(posters: 1) },
          .peer(Names.center, operations: 2, centerOfTwoNames),
          .peer("two lists of closures under Mutexes", operations: 2) { lists([ClosureList(), ClosureList()]) },
        ]),
      Row(
        "posters-1-type", "2 posters, 1 type, 1 inline subscriber",
        [
          .ours(Names.bus, operations: 2) { busOfOneType(posters: 2) },
          .peer("EventBus, 1 poster") { busOfOneType(posters: 1) },
          .peer("one list of closures under a Mutex", operations: 2) { lists([ClosureList()]) },
        ]),
    ]
  }

  /// Runs one loop per poster at the same time, and verifies the number of calls for each.
  private static func work(
    _ posters: Int, _ tallies: [Tally], _ loop: @escaping @Sendable (_ poster: Int, _ repetitions: Int) -> Void
  ) -> Contender.Work {
    { repetitions in
      DispatchQueue.concurrentPerform(iterations: posters) { loop($0, repetitions) }
      for tally in tallies.prefix(posters) { tally.expect(repetitions) }
    }
  }

  private static func busOfTwoTypes(posters: Int) -> Contender.Work {
    let bus = EventBus()
    let tallies = [Tally(), Tally()]
    let ticks = bus.subscribe(to: Tick.self) { [cell = tallies[0].cell] _ in cell.increment() }
    let tocks = bus.subscribe(to: Tock.self) { [cell = tallies[1].cell] _ in cell.increment() }
    return work(posters, tallies) { poster, repetitions in
      withExtendedLifetime((ticks, tocks)) {
        if poster == 0 {
          for number in 0..<repetitions { bus.post(Tick(number: number)) }
        } else {
          for number in 0..<repetitions { bus.post(Tock(number: number)) }
        }
      }
    }
  }

  /// The event selects the tally of its poster, because handlers on two threads must not share a tally.
  private static func busOfOneType(posters: Int) -> Contender.Work {
    let bus = EventBus()
    let tallies = [Tally(), Tally()]
    let subscription = bus.subscribe(to: Tick.self) { [cells = tallies.map(\.cell)] in cells[$0.number].increment() }
    return work(posters, tallies) { poster, repetitions in
      withExtendedLifetime(subscription) {
        for _ in 0..<repetitions { bus.post(Tick(number: poster)) }
      }
    }
  }

  private static func centerOfTwoNames() -> Contender.Work {
    let center = NotificationCenter()
    let tallies = [Tally(), Tally()]
    let names = [Notification.Name.tick, .tock]
    for (name, tally) in zip(names, tallies) {
      _ = center.addObserver(forName: name, object: nil, queue: nil) { [cell = tally.cell] _ in cell.increment() }
    }
    return work(2, tallies) { poster, repetitions in
      for _ in 0..<repetitions { center.post(name: names[poster], object: nil) }
    }
  }

  private static func lists(_ lists: [ClosureList<Tick>]) -> Contender.Work {
    let tallies = [Tally(), Tally()]
    for list in lists {
      list.add { [cells = tallies.map(\.cell)] in cells[$0.number].increment() }
    }
    return work(2, tallies) { poster, repetitions in
      let list = lists[poster % lists.count]
      for _ in 0..<repetitions { list.post(Tick(number: poster)) }
    }
  }
}
