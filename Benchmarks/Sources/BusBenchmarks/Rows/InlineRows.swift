import EventBus
import Foundation
import Harness
import OpenCombine

/// One post to a number of subscribers on the posting thread.
///
/// The notification carries no event, because an event in `userInfo` would make Foundation even slower.
enum InlineRows {
  static var all: [Row] {
    [
      row("post-0", "post, no subscriber", 0),
      row("post-1", "post, 1 inline subscriber", 1, center: 10, floor: 2),
      row("post-10", "post, 10 inline subscribers", 10, center: 10),
      row("post-1000", "post, 1000 inline subscribers", 1000, center: 8, floor: 1.25),
      // A post to one subscriber has four steps: posted, delivering, delivered, accepted.
      Row(
        "post-traced", "post, 1 inline subscriber, with a trace that counts its steps",
        [.ours(Names.bus) { traced(steps: 4) }]),
    ]
  }

  private static func traced(steps: Int) -> Contender.Work {
    let (tally, trace) = (Tally(), Tally())
    let bus = EventBus(trace: { [cell = trace.cell] _ in cell.increment() })
    let subscription = bus.subscribe(to: Tick.self) { [cell = tally.cell] _ in cell.increment() }
    trace.expect(1)
    return { repetitions in
      for number in 0..<repetitions { bus.post(Tick(number: number)) }
      tally.expect(repetitions)
      trace.expect(repetitions * steps)
      withExtendedLifetime(subscription) {}
    }
  }

  private static func row(
    _ name: String, _ work: String, _ subscribers: Int, center: Double? = nil, floor: Double? = nil
  ) -> Row {
    Row(
      name, work,
      [
        .ours(Names.bus) { bus(subscribers) },
        .peer(Names.center, atLeast: center) { self.center(subscribers) },
        .peer(Names.subject) { subject(subscribers) },
        .floor(Names.list, atMost: floor) { list(subscribers) },
      ])
  }

  private static func bus(_ subscribers: Int) -> Contender.Work {
    let bus = EventBus()
    let tally = Tally()
    let subscriptions = (0..<subscribers).map { _ in
      bus.subscribe(to: Tick.self) { [cell = tally.cell] _ in cell.increment() }
    }
    return { repetitions in
      for number in 0..<repetitions { bus.post(Tick(number: number)) }
      tally.expect(repetitions * subscriptions.count)
    }
  }

  private static func center(_ subscribers: Int) -> Contender.Work {
    let center = NotificationCenter()
    let tally = Tally()
    let observers = (0..<subscribers).map { _ in
      center.addObserver(forName: .tick, object: nil, queue: nil) { [cell = tally.cell] _ in cell.increment() }
    }
    return { repetitions in
      for _ in 0..<repetitions { center.post(name: .tick, object: nil) }
      tally.expect(repetitions * observers.count)
    }
  }

  private static func subject(_ subscribers: Int) -> Contender.Work {
    let subject = PassthroughSubject<Tick, Never>()
    let tally = Tally()
    let subscriptions = (0..<subscribers).map { _ in
      subject.sink { [cell = tally.cell] _ in cell.increment() }
    }
    return { repetitions in
      for number in 0..<repetitions { subject.send(Tick(number: number)) }
      tally.expect(repetitions * subscriptions.count)
    }
  }

  private static func list(_ subscribers: Int) -> Contender.Work {
    let list = ClosureList<Tick>()
    let tally = Tally()
    for _ in 0..<subscribers {
      list.add { [cell = tally.cell] _ in cell.increment() }
    }
    return { repetitions in
      for number in 0..<repetitions { list.post(Tick(number: number)) }
      tally.expect(repetitions * subscribers)
    }
  }
}
