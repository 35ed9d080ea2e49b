package import EventBus

/// A bag that retains subscriptions, streams, and timers. A suite has one bag, so they last until the test ends.
package final class Bag: Sendable {
  private let kept = Locked<[any Sendable]>([])

  package init() {}

  package func keep(_ value: any Sendable) { kept.withLock { $0.append(value) } }
}

extension Subscription {
  /// Transfers the subscription to a bag, which then owns it.
  package func store(in bag: Bag) { bag.keep(self) }
}
