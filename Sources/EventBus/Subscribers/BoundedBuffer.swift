/// The pending deliveries of a subscription with a limit, oldest first. A delivery is known only by its identity.
///
/// A delivery leaves the buffer when a thread claims it for its call, when a newer one evicts it, or when the subscription
/// is cancelled.
final class BoundedBuffer: Sendable {
  private let limit: Int
  private let keepsNewest: Bool
  private let waiting = Locked(RingBuffer<PendingRecipients>())

  init(_ limit: Int, keepsNewest: Bool) { (self.limit, self.keepsNewest) = (limit, keepsNewest) }

  /// Offers one more delivery. Returns whether the delivery was accepted, and which delivery must be dropped to make
  /// room.
  func offer(_ recipients: PendingRecipients) -> (isTaken: Bool, evicted: PendingRecipients?) {
    waiting.withLock { waiting in
      if waiting.count < limit {
        waiting.append(recipients)
        return (true, nil)
      }
      guard keepsNewest else { return (false, nil) }
      let evicted = waiting.popFirst()
      waiting.append(recipients)
      return (true, evicted)
    }
  }

  /// Returns whether the delivery is the next one. If so, this call also removes the delivery.
  func claim(_ recipients: PendingRecipients) -> Bool {
    waiting.withLock { waiting in
      guard waiting.first === recipients else { return false }
      _ = waiting.popFirst()
      return true
    }
  }

  /// Returns whether the delivery is the newest one. If so, this call also removes the delivery.
  func withdraw(_ recipients: PendingRecipients) -> Bool {
    waiting.withLock { waiting in
      guard waiting.last === recipients else { return false }
      _ = waiting.popLast()
      return true
    }
  }
}

/// Counts the subscribers that must still receive a pending delivery, if any of them has a limit.
///
/// `Sendable` is unchecked, because the count is used only under the mailbox's lock.
@usableFromInline
final class PendingRecipients: @unchecked Sendable {
  var count = 0
  /// Whether the delivery is still in the mailbox.
  var isInMailbox = false
}
