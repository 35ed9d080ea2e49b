/// An event that has to wait: in mailboxes, for its turn on a thread, or to be replayed. Stored once, wherever it waits.
///
/// All that the bus does with it between the post and the call needs no knowledge of its type.
///
/// Unchecked because it has subclasses; all of its own is constant.
@usableFromInline
class Envelope: @unchecked Sendable {
  @usableFromInline let channel: Channel
  /// The roster of its key, if it has one and somebody has subscribed to it.
  @usableFromInline let key: Roster?
  /// Calls the subscribers of a parcel with the event, on this thread, which is in the channel with the frame. A closure instead
  /// of a method, because a method of a generic class is not compiled for the event's type.
  @usableFromInline let call: @Sendable (Envelope, Run, Run, Tally?, Frame) -> Int

  @inlinable
  init(
    _ channel: Channel, key: Roster?,
    _ call: @escaping @Sendable (Envelope, Run, Run, Tally?, Frame) -> Int
  ) {
    self.channel = channel
    self.key = key
    self.call = call
  }
}

/// Unchecked only because its superclass is; all is constant.
@usableFromInline
final class TypedEnvelope<E: Event>: Envelope, @unchecked Sendable {
  @usableFromInline let event: E

  @inlinable
  init(_ event: E, _ channel: Channel, key: Roster?) {
    self.event = event
    super.init(channel, key: key) { envelope, first, second, tally, frame in
      envelope.channel.deliver(
        unsafeDowncast(envelope, to: TypedEnvelope<E>.self).event, first, second, tally, in: frame)
    }
  }
}
