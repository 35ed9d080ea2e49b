/// An event on its way to subscribers: those without a key, and those of the event's key.
struct PendingDelivery: Sendable {
  let envelope: Envelope
  private(set) var unkeyed: Snapshot
  private(set) var keyed: Snapshot
  /// Nil if no mailbox with a limit is involved.
  let claims: Claims?

  /// Whether somebody would be called if it was delivered now.
  mutating func findsLiveTaker() -> Bool { unkeyed.findsLive() || keyed.findsLive() }

  /// Delivers on this thread, which has the record and is in no channel with it: one event, or those of a burst that the budget
  /// has time for.
  func deliver(in record: HazardRecord, within budget: TimeBudget? = nil) {
    record.enter(envelope.channel.number)
    envelope.deliver(Run(unkeyed), Run(keyed), claims, in: record, within: budget)
    record.leave()
  }
}
