/// The subscribers of one roster on one lane. Used under the channel's lock, which is what makes it sendable.
final class LaneGroup: @unchecked Sendable {
  let lane: Lane
  @exclusivity(unchecked) private(set) var roll = Roll()
  /// Those with a limit.
  @exclusivity(unchecked) private(set) var bounded: [Subscriber] = []

  /// The ticket of the last who came: while it is the same, those who are called for an event are the same or fewer.
  @exclusivity(unchecked) private(set) var newest: UInt64 = 0

  init(_ lane: Lane) { self.lane = lane }

  var unbounded: Int { roll.live - bounded.count }

  func insert(_ subscriber: Subscriber, _ released: inout Released) {
    subscriber.group = self
    newest = subscriber.ticket
    _ = roll.insert(subscriber, &released)
    if subscriber.bound != nil { bounded.append(subscriber) }
  }

  func remove(_ subscriber: Subscriber, from channel: UInt64, _ released: inout Released) {
    _ = roll.remove(subscriber, readersOf: channel, &released)
    if subscriber.bound != nil { bounded.removeAll { $0 === subscriber } }
  }
}
