package import EventBus

/// Keeps the subscriptions of a test. A suite has one, so they last until the test ends.
package final class Bag: Sendable {
  fileprivate let subscriptions = Locked<[Subscription]>([])

  package init() {}
}

extension Subscription {
  /// Hands the subscription to a bag that then owns it.
  package func store(in bag: Bag) { bag.subscriptions.withLock { $0.append(self) } }
}

extension Sequence<Subscription> {
  /// Hands the subscriptions to a bag that then owns them.
  package func store(in bag: Bag) { for subscription in self { subscription.store(in: bag) } }
}
