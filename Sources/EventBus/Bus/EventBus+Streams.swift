extension EventBus {
  /// The events of a type from now on, to be read with `for await`.
  ///
  /// - Parameters:
  ///   - type: the type of the events.
  ///   - overflow: what happens when more events wait than the reader has time for.
  ///   - fileID: given to the trace.
  ///   - line: given to the trace.
  /// - Returns: a stream that is registered when this returns. Its events wait in a mailbox until they are read.
  public func events<E: Event>(
    _ type: E.Type = E.self, overflow: Overflow = .dropOldest(256), fileID: StaticString = #fileID, line: UInt = #line
  ) -> EventStream<E> {
    let channel = channel(for: type)
    return stream(channel, roster: { channel.everybody }, overflow, fileID: fileID, line: line)
  }

  /// The events of one key from now on, to be read with `for await`.
  ///
  /// The other parameters and the result are as in ``events(_:overflow:fileID:line:)``.
  public func events<E: KeyedEvent>(
    _ type: E.Type = E.self, key: E.Key, overflow: Overflow = .dropOldest(256), fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> EventStream<E> {
    let channel = keyedChannel(for: type)
    return stream(channel, roster: { channel.roster(for: key) }, overflow, fileID: fileID, line: line)
  }

  private func stream<E: Event>(
    _ channel: Channel, roster: () -> Roster, _ overflow: Overflow, fileID: StaticString, line: UInt
  ) -> EventStream<E> {
    overflow.checkForStream()
    let mailbox = StreamMailbox(overflow)
    while true {
      let roster = roster()
      let subscriber = Subscriber(
        channel, roster, .passRetained(mailbox), lane: nil, stream: mailbox, bound: nil, priority: 0, fileID: fileID,
        line: line)
      if withExtendedLifetime(roster, { channel.add(subscriber) }) {
        return EventStream(mailbox, Subscription(channel, subscriber))
      }
      subscriber.abandon()
    }
  }
}
