/// An event on its way to subscribers: those without a key, and those of the event's key.
struct PendingDelivery: Sendable {
  let envelope: Envelope
  let unkeyed: Snapshot
  let keyed: Snapshot
  /// Nil if no mailbox with a limit is involved.
  let claims: Claims?

  /// Whether somebody would be called if it was delivered now.
  var hasLiveTaker: Bool { unkeyed.hasLive || keyed.hasLive }

  /// Delivers on this thread, which has the record and is in no channel with it. Returns how many events were delivered.
  @discardableResult
  func deliver(in record: HazardRecord, atMost limit: Int = 1) -> Int {
    record.enter(envelope.channel.number)
    defer { record.leave() }
    return envelope.deliver(Run(unkeyed), Run(keyed), claims, in: record, atMost: limit)
  }
}
