/// An event on its way to subscribers: those without a key, and those of the event's key.
struct Parcel: Sendable {
  let envelope: Envelope
  let unkeyed: Snapshot
  let keyed: Snapshot
  /// Nil if no mailbox with a limit is involved.
  let tally: Tally?

  /// Whether somebody would be called if it was delivered now.
  var hasLiveTaker: Bool { unkeyed.live + keyed.live > 0 }

  /// Delivers on this thread, which has the frame and is in no channel with it.
  func deliver(in frame: Frame) {
    let channel = envelope.channel
    frame.enter(channel.number)
    _ = envelope.call(envelope, Run(unkeyed), Run(keyed), tally, frame)
    channel.leave(frame)
  }
}

/// Keeps count of who still wants a parcel, for mailboxes with a limit. Used under the lane's lock, which is what makes it
/// sendable.
@usableFromInline
final class Tally: @unchecked Sendable {
  let lane: Lane
  var takers = 0
  /// Whether the parcel has not been taken out of the lane yet.
  var isInMailbox = false

  init(_ lane: Lane) { self.lane = lane }

  /// Whether the subscriber is still to get the event: not if its mailbox dropped it.
  @usableFromInline
  func claim(for subscriber: Subscriber) -> Bool {
    guard let bound = subscriber.bound else { return true }
    return lane.claim(self, for: bound)
  }
}
