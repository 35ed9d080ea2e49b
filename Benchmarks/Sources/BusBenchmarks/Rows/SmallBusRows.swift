import EventBus
import Foundation
import Harness
import SmallBus

/// The cost of the bus in one file with 10,000 subscriptions. The page `FromASmallBus.md` quotes it.
enum SmallBusRows {
  private static let standing = 10_000

  static var all: [Row] {
    [
      Row(
        "small-post", "post, 10,000 inline subscribers",
        [
          .ours(Names.bus) {
            let bus = EventBus()
            return posts({ cell in bus.subscribe(to: Tick.self) { _ in cell.increment() } }, { bus.post($0) })
          },
          .peer(Names.center) {
            let center = NotificationCenter()
            return posts(
              { cell in center.addObserver(forName: .tick, object: nil, queue: nil) { _ in cell.increment() } },
              { _ in center.post(name: .tick, object: nil) })
          },
          .peer(Names.small) {
            let bus = SmallBus()
            return posts({ cell in bus.subscribe(to: Tick.self) { _ in cell.increment() } }, { bus.post($0) })
          },
        ]),
      Row(
        "small-churn", "replace one of 10,000 subscriptions",
        [
          .ours(Names.bus) {
            let bus = EventBus()
            return churn { bus.subscribe(to: Tick.self) { _ in } }
          },
          .peer(Names.center) {
            let center = NotificationCenter()
            return churn(
              { center.addObserver(forName: .tick, object: nil, queue: nil) { _ in } }, center.removeObserver)
          },
          .peer(Names.small, atLeast: 5) {
            let bus = SmallBus()
            return churn { bus.subscribe(to: Tick.self) { _ in } }
          },
        ]),
    ]
  }

  private static func posts<Token>(
    _ subscribe: (Tally.Cell) -> Token, _ post: @escaping (Tick) -> Void
  ) -> Contender.Work {
    let tally = Tally()
    let tokens = (0..<standing).map { _ in subscribe(tally.cell) }
    return { repetitions in
      for number in 0..<repetitions { post(Tick(number: number)) }
      tally.expect(repetitions * tokens.count)
    }
  }

  /// The tokens of both buses cancel on release.
  private static func churn<Token>(
    _ subscribe: @escaping () -> Token, _ cancel: @escaping (Token) -> Void = { _ in }
  ) -> Contender.Work {
    var tokens = (0..<standing).map { _ in subscribe() }
    return { repetitions in
      for number in 0..<repetitions {
        // Scattered like random numbers, and the same for all contenders.
        let index = number &* 61_027 % standing
        cancel(tokens[index])
        tokens[index] = subscribe()
      }
    }
  }
}
