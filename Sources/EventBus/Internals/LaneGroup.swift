/// The subscribers of one roster on one lane. Used under the channel's lock, which is what makes it sendable.
final class LaneGroup: @unchecked Sendable {
  let lane: Lane
  @exclusivity(unchecked) private(set) var roll = Roll()
  /// Those with a limit.
  @exclusivity(unchecked) private(set) var bounded: [Subscriber] = []

  init(_ lane: Lane) { self.lane = lane }

  var unbounded: Int { roll.live - bounded.count }

  func insert(_ subscriber: Subscriber) -> SubscriberList? {
    subscriber.group = self
    if subscriber.bound != nil { bounded.append(subscriber) }
    return roll.change { $0.insert(subscriber) }
  }

  func remove(_ subscriber: Subscriber) -> SubscriberList? {
    if subscriber.bound != nil { bounded.removeAll { $0 === subscriber } }
    return roll.change { $0.noteCancelled() }
  }
}
