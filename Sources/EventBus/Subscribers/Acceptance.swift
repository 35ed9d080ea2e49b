import Synchronization

/// Tells which subscribers of a run have accepted a waiting event, because a run also contains cancelled subscribers.
@usableFromInline
struct Acceptance: Sendable {
  /// All subscribers of the run have accepted the event.
  static let byAll = Acceptance(recipients: nil, changes: 0)

  /// Nil if no subscriber of the run has a limit.
  @usableFromInline let recipients: PendingRecipients?
  /// The value of ``Channel/changes`` when the event was accepted.
  let changes: UInt64

  /// Returns whether the subscriber was cancelled after it had accepted the event.
  func includes(cancelled subscriber: Subscriber) -> Bool { subscriber.removal.load(ordering: .relaxed) > changes }

  /// Returns whether the subscriber must still receive the event. Returns false if its limit made the mailbox drop the
  /// event.
  @inlinable
  func claim(for subscriber: Subscriber) -> Bool { recipients.map { subscriber.claim($0) } ?? true }

  /// Withdraws the subscriber's newest waiting delivery. Returns false if its limit made the mailbox drop the event.
  func withdraw(for subscriber: Subscriber) -> Bool {
    guard let recipients, let limit = subscriber.limit else { return true }
    return limit.withdraw(recipients)
  }
}
