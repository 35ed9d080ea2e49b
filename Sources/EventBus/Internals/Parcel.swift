/// An event on its way to the subscribers of one lane, or waiting for its turn on a thread.
///
/// Unchecked because of the variables, which the lane's lock guards.
@usableFromInline
class Parcel: @unchecked Sendable {
  /// How many subscribers of a lane still want it, as far as the lane knows.
  var takers = 0
  var isInMailbox = false

  /// Whether somebody would be called if it was delivered now.
  var hasLiveTaker: Bool { true }

  /// Delivers on this thread, which has the frame and is in no channel with it.
  func deliver(in frame: Frame) {}
}

/// The parcel of one event: with those without a key, and those of the event's key.
@usableFromInline
final class EventParcel<E: Event>: Parcel, @unchecked Sendable {
  let event: E
  private let channel: Channel<E>
  private let unkeyed: Snapshot<E>
  private let keyed: Snapshot<E>
  private let lane: Lane?

  init(_ event: E, _ channel: Channel<E>, _ unkeyed: Snapshot<E>, _ keyed: Snapshot<E>, lane: Lane?) {
    self.event = event
    self.channel = channel
    self.unkeyed = unkeyed
    self.keyed = keyed
    self.lane = lane
  }

  override var hasLiveTaker: Bool {
    [unkeyed, keyed].contains { snapshot in
      (0..<snapshot.count).contains { Run(snapshot).withSubscriber(at: $0, \.isActive) }
    }
  }

  override func deliver(in frame: Frame) {
    frame.enter(channel.number)
    _ = channel.deliver(event, Run(unkeyed), Run(keyed), parcel: self, in: frame)
    channel.leave(frame)
    if lane == nil { channel.core.idle.settle() }
    channel.core.checkIdle()
  }

  /// Whether the subscriber is still to get the event: not if its mailbox dropped it.
  @usableFromInline
  func isFor(_ subscriber: Subscriber<E>) -> Bool {
    guard let bound = subscriber.bound, let lane else { return true }
    return lane.claim(self, for: bound)
  }
}
