/// An event on its way to the subscribers without a key and to the subscribers with its key.
struct PendingDelivery: Sendable {
  let envelope: Envelope
  private(set) var unkeyed: Snapshot
  private(set) var keyed: Snapshot
  let acceptance: Acceptance

  var recipients: PendingRecipients? { acceptance.recipients }

  /// Returns whether a delivery would call any handler now. Passes the cancelled subscribers that it removes to
  /// `removed`.
  mutating func findsLiveTaker(_ removed: (Subscriber) -> Void) -> Bool {
    unkeyed.findsLive(removed) || keyed.findsLive(removed)
  }

  /// Delivers one event, or as many events of a burst as the budget allows. This thread must own the record, and must
  /// not have entered a channel with it.
  func deliver(in record: HazardRecord, within budget: TimeBudget? = nil) {
    record.enter(envelope.caller.number)
    envelope.deliver(Run(unkeyed), Run(keyed), acceptance, in: record, within: budget)
    record.leave()
  }
}
