extension EventBus {
  /// The events of a type from now on, to be read with `for await`.
  ///
  /// - Parameters:
  ///   - type: the type of the events.
  ///   - overflow: what happens when more events wait than the reader has time for.
  ///   - name: the reader, for the trace and for ``subscriptions``.
  ///   - fileID: given to the trace.
  ///   - line: given to the trace.
  /// - Returns: a stream that is registered when this returns. Its events wait in a mailbox until they are read.
  public func events<E: Event>(
    of type: E.Type = E.self, overflow: Overflow = .dropOldest(256), name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> EventStream<E> {
    channel(for: type).stream({ $0.everybody }, overflow, name: name, fileID: fileID, line: line)
  }

  /// The events of one key from now on, to be read with `for await`.
  ///
  /// The other parameters and the result are as in ``events(of:overflow:name:fileID:line:)``.
  public func events<E: KeyedEvent>(
    of type: E.Type = E.self, key: E.Key, overflow: Overflow = .dropOldest(256), name: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> EventStream<E> {
    channel(for: type).stream({ $0.set(for: key, of: type) }, overflow, name: name, fileID: fileID, line: line)
  }
}

extension Channel {
  fileprivate func stream<E: Event>(
    _ find: (Channel) -> SubscriberSet, _ overflow: Overflow, name: String?, fileID: StaticString, line: UInt
  ) -> EventStream<E> {
    overflow.validate()
    let mailbox = StreamMailbox(overflow)
    return EventStream(
      mailbox, register(find, mailbox, .stream(mailbox), priority: 0, name: name, fileID: fileID, line: line))
  }
}
