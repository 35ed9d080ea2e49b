import EventBus
import Foundation
import Harness

/// One post with one of 1000 keys, each of which has one subscriber. Foundation calls the key the sender.
enum KeyedRows {
  private static let keys = 1000

  static var all: [Row] {
    [
      Row(
        "post-keyed", "post to one of 1000 senders (keyed)",
        [
          .ours(Names.bus, bus),
          .peer(Names.center, atLeast: 10, center),
          .floor("dictionary of closures under a Mutex", table),
        ])
    ]
  }

  /// Scatters the keys, so that consecutive posts do not use the same cached memory.
  private static func key(_ number: Int) -> Int { number &* 379 % keys }

  private static func bus() -> Contender.Work {
    let bus = EventBus()
    let tally = Tally()
    let subscriptions = (0..<keys).map { key in
      bus.subscribe(to: Change.self, key: key) { [cell = tally.cell] _ in cell.increment() }
    }
    return { repetitions in
      withExtendedLifetime(subscriptions) {
        for number in 0..<repetitions { bus.post(Change(key: key(number))) }
      }
      tally.expect(repetitions)
    }
  }

  private static func center() -> Contender.Work {
    let center = NotificationCenter()
    let tally = Tally()
    let senders = (0..<keys).map { _ in Sender() }
    let observers = senders.map { sender in
      center.addObserver(forName: .tick, object: sender, queue: nil) { [cell = tally.cell] _ in cell.increment() }
    }
    return { repetitions in
      withExtendedLifetime(observers) {
        for number in 0..<repetitions { center.post(name: .tick, object: senders[key(number)]) }
      }
      tally.expect(repetitions)
    }
  }

  private static func table() -> Contender.Work {
    let table = ClosureTable<Int, Change>()
    let tally = Tally()
    for key in 0..<keys {
      table.add(for: key) { [cell = tally.cell] _ in cell.increment() }
    }
    return { repetitions in
      for number in 0..<repetitions { table.post(Change(key: key(number)), for: key(number)) }
      tally.expect(repetitions)
    }
  }

  private final class Sender: Sendable {}
}
