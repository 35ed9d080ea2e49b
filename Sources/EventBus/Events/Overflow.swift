/// The policy for a full mailbox. Events that are being handled or were already read do not count toward the limit.
public enum Overflow: Sendable {
  /// Keeps all events. The mailbox is limited only by memory.
  case unbounded

  /// Keeps at most this many events, and drops the oldest one to make room for a new one. The limit must be at least 1.
  case dropOldest(Int)

  /// Keeps at most this many events, and drops new events while the mailbox is full. The limit must be at least 1.
  case dropNewest(Int)

  /// Traps on an invalid limit, because that is a mistake in the calling code.
  func validate() {
    guard let limit, limit < 1 else { return }
    fatalError("A mailbox or stream must hold at least 1 event; found a limit of \(limit).")
  }

  var limit: Int? {
    switch self {
    case .unbounded: nil
    case .dropOldest(let limit), .dropNewest(let limit): limit
    }
  }

  var keepsNewest: Bool { if case .dropOldest = self { true } else { false } }
}
