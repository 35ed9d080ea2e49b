import Dispatch
import EventBus
import Foundation
import Harness
import OpenCombine

/// Subscribing and cancelling, without and with many other subscriptions.
enum SubscribeRows {
  private static let many = 100_000
  /// The number of subscriptions that are cancelled before the same number is added.
  private static let batch = 100

  static var all: [Row] {
    [
      Row(
        "subscribe", "subscribe + cancel",
        [
          .ours(Names.bus) { bus(standing: 0) },
          .peer(Names.center, atLeast: 3) { center(standing: 0) },
          .peer(Names.subject, atLeast: 3) { subject(standing: 0) },
        ]),
      Row(
        "subscribe-100000", "subscribe + cancel, with 100,000 other subscriptions",
        [
          .ours(Names.bus) { bus(standing: many) },
          .floor("EventBus, no other subscriptions", atMost: 1.1) { bus(standing: 0) },
          .peer(Names.center) { center(standing: many) },
          .peer(Names.subject) { subject(standing: many) },
        ]),
      Row(
        "churn", "replace one of 100,000 subscriptions",
        [
          .ours(Names.bus, busChurn),
          .peer(Names.center, centerChurn),
          .peer(Names.subject, subjectChurn),
        ]),
      Row(
        "cancel-limit", "cancel one of 20,000 subscriptions with a mailbox limit",
        [
          .ours(Names.bus, operations: batch) { busCancel(standing: 20_000) },
          .floor("EventBus, no limit", operations: batch) { busCancel(standing: 20_000, overflow: .unbounded) },
          .floor("EventBus, one of 5,000", atMost: 2, operations: batch) { busCancel(standing: 5_000) },
        ]),
      Row(
        "subscribe-priorities", "subscribe with a random priority, for 8,000 subscriptions and one post",
        [
          .ours(Names.bus, operations: 8_000) { randomPriorities(8_000) },
          .floor("EventBus, 2,000 subscriptions", atMost: 2, operations: 2_000) { randomPriorities(2_000) },
        ]),
      Row(
        "delayed-posts", "add and cancel one of 16,000 delayed posts with equal delays",
        [
          .ours(Names.bus, operations: 16_000) { delayedPosts(16_000) },
          .floor("EventBus, one of 4,000", atMost: 2, operations: 4_000) { delayedPosts(4_000) },
        ]),
    ]
  }

  /// The subscription to cancel: scattered like random numbers, and the same for all contenders.
  private static func place(_ number: Int) -> Int { number &* 61_027 % many }

  private static func subscribe(_ bus: EventBus) -> EventBus::Subscription { bus.subscribe(to: Tick.self) { _ in } }

  private static func observe(_ center: NotificationCenter) -> any NSObjectProtocol {
    center.addObserver(forName: .tick, object: nil, queue: nil) { _ in }
  }

  private static func bus(standing: Int) -> Contender.Work {
    let bus = EventBus()
    let subscriptions = (0..<standing).map { _ in subscribe(bus) }
    return { repetitions in
      for _ in 0..<repetitions { subscribe(bus).cancel() }
      require(bus.subscriberCount(for: Tick.self) == subscriptions.count, "a subscription is missing")
    }
  }

  private static func center(standing: Int) -> Contender.Work {
    let center = NotificationCenter()
    let observers = (0..<standing).map { _ in observe(center) }
    return { repetitions in
      withExtendedLifetime(observers) {
        for _ in 0..<repetitions { center.removeObserver(observe(center)) }
      }
    }
  }

  private static func subject(standing: Int) -> Contender.Work {
    let subject = PassthroughSubject<Tick, Never>()
    let subscriptions = (0..<standing).map { _ in subject.sink { _ in } }
    return { repetitions in
      withExtendedLifetime(subscriptions) {
        for _ in 0..<repetitions { subject.sink { _ in }.cancel() }
      }
    }
  }

  private static func busChurn() -> Contender.Work {
    let bus = EventBus()
    var subscriptions = (0..<many).map { _ in subscribe(bus) }
    return { repetitions in
      for number in 0..<repetitions { subscriptions[place(number)] = subscribe(bus) }
      require(bus.subscriberCount(for: Tick.self) == many, "a subscription is missing")
    }
  }

  private static func busCancel(standing: Int, overflow: Overflow = .dropOldest(8)) -> Contender.Work {
    let bus = EventBus()
    let queue = DispatchQueue(label: "events")
    func subscribe() -> EventBus::Subscription {
      bus.subscribe(to: Tick.self, on: .queue(queue, limit: overflow)) { _ in }
    }
    var subscriptions = (0..<standing).map { _ in subscribe() }
    var next = 0
    return { repetitions in
      for _ in 0..<repetitions {
        let places = (next..<next + batch).map { place($0) % standing }
        for place in places { subscriptions[place].cancel() }
        next += batch
        unmeasured {
          for place in places { subscriptions[place] = subscribe() }
        }
      }
      require(bus.subscriberCount(for: Tick.self) == standing, "a subscription is missing")
    }
  }

  private static func randomPriorities(_ count: Int) -> Contender.Work {
    { repetitions in
      for _ in 0..<repetitions {
        let bus = EventBus()
        let tally = Tally()
        let subscriptions = (0..<count).map { number in
          bus.subscribe(to: Tick.self, priority: place(number)) { [cell = tally.cell] _ in cell.increment() }
        }
        bus.post(Tick(number: 0))
        tally.expect(subscriptions.count)
      }
    }
  }

  private static func delayedPosts(_ count: Int) -> Contender.Work {
    { repetitions in
      for _ in 0..<repetitions {
        let bus = EventBus()
        let posts = (0..<count).map { bus.post(Tick(number: $0), after: .seconds(3600)) }
        for post in posts { post.cancel() }
      }
    }
  }

  private static func centerChurn() -> Contender.Work {
    let center = NotificationCenter()
    var observers = (0..<many).map { _ in observe(center) }
    return { repetitions in
      for number in 0..<repetitions {
        center.removeObserver(observers[place(number)])
        observers[place(number)] = observe(center)
      }
    }
  }

  private static func subjectChurn() -> Contender.Work {
    let subject = PassthroughSubject<Tick, Never>()
    var subscriptions = (0..<many).map { _ in subject.sink { _ in } }
    return { repetitions in
      for number in 0..<repetitions { subscriptions[place(number)] = subject.sink { _ in } }
    }
  }
}
