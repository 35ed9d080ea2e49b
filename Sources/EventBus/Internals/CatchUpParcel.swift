/// The replay of an inline subscriber, and what is posted while it is being delivered.
final class CatchUpParcel<E: Event>: Parcel, @unchecked Sendable {
  private let subscriber: Subscriber<E>
  private let channel: Channel<E>

  init(_ subscriber: Subscriber<E>, _ channel: Channel<E>) {
    self.subscriber = subscriber
    self.channel = channel
  }

  /// Delivers now, or after the event that this thread is delivering for the bus.
  func deliverInTurn(_ core: BusCore) {
    guard let frame = core.beginFrame() else {
      core.currentFrame?.deliverLater(self)
      return
    }
    deliver(in: frame)
    core.end(frame)
  }

  override func deliver(in frame: Frame) {
    while let event = channel.nextToCatchUp(subscriber) {
      frame.enter(channel.number)
      _ = channel.call(subscriber, event, nil, frame)
      channel.leave(frame)
    }
    channel.core.idle.settle()
    channel.core.checkIdle()
  }
}
