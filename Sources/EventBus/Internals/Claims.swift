import Synchronization

/// Tells which subscribers of a run have accepted a waiting event, because a run also contains cancelled subscribers.
@usableFromInline
struct Acceptance: Sendable {
  /// All subscribers of the run have accepted the event.
  static let byAll = Acceptance(claims: nil, changes: 0)

  /// Nil if no mailbox with a limit receives the event.
  @usableFromInline let claims: Claims?
  /// The value of ``Channel/changes`` when the event was accepted.
  let changes: UInt64

  /// Returns whether the subscriber was cancelled after it had accepted the event.
  func includes(cancelled subscriber: Subscriber) -> Bool { subscriber.removal.load(ordering: .relaxed) > changes }
}

/// Counts the subscribers that must still receive a pending delivery, if any of them has a limit.
///
/// Unchecked, because it is used only under the mailbox's lock.
@usableFromInline
final class Claims: @unchecked Sendable {
  private let mailbox: Mailbox
  var takers = 0
  /// Whether the delivery is still in the mailbox.
  var isInMailbox = false

  init(_ mailbox: Mailbox) { self.mailbox = mailbox }

  /// Returns whether the subscriber must still receive the event. Returns false if the subscriber's limit made the
  /// mailbox drop the event.
  @usableFromInline
  func claim(for subscriber: Subscriber) -> Bool {
    guard let limit = subscriber.limit else { return true }
    return mailbox.claim(self, for: limit)
  }

  /// Removes the subscriber's newest waiting delivery. Returns false if the subscriber's limit made the mailbox drop
  /// it. Requires the mailbox's lock.
  func withdraw(for subscriber: Subscriber) -> Bool { subscriber.limit?.withdraw(self) ?? true }
}

/// The pending deliveries of a subscription with a limit.
///
/// Unchecked, because it is used only under the mailbox's lock.
final class MailboxLimit: @unchecked Sendable {
  private let limit: Int
  private let keepsNewest: Bool
  private var waiting = RingBuffer<Claims>()

  /// Returns nil if the policy has no limit.
  init?(_ overflow: Overflow) {
    guard let limit = overflow.limit else { return nil }
    (self.limit, keepsNewest) = (limit, overflow.keepsNewest)
  }

  /// Offers one more delivery. Returns whether the delivery was accepted, and which delivery must be dropped to make
  /// room.
  func offer(_ claims: Claims) -> (isTaken: Bool, evicted: Claims?) {
    if waiting.count < limit {
      waiting.append(claims)
      return (true, nil)
    }
    guard keepsNewest else { return (false, nil) }
    let evicted = waiting.popFirst()
    waiting.append(claims)
    return (true, evicted)
  }

  /// Returns whether the delivery is the next one. If so, this call also removes the delivery.
  func claim(_ claims: Claims) -> Bool {
    guard waiting.first === claims else { return false }
    _ = waiting.popFirst()
    return true
  }

  /// Returns whether the delivery is the newest one. If so, this call also removes the delivery.
  func withdraw(_ claims: Claims) -> Bool {
    guard waiting.last === claims else { return false }
    _ = waiting.popLast()
    return true
  }
}
