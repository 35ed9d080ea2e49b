/// What a mailbox does with more events than it may hold. Events being handled, or already read, do not count.
public enum Overflow: Sendable {
  /// Holds everything, as long as memory lasts.
  case unbounded

  /// Holds this many at most, and drops the oldest for a new one. At least 1.
  case dropOldest(Int)

  /// Holds this many at most, and drops what is posted while it is full. At least 1.
  case dropNewest(Int)

  func check(for lane: Lane?) {
    switch self {
    case .unbounded: return
    case .dropOldest(let limit), .dropNewest(let limit):
      precondition(limit >= 1, "A mailbox must hold at least 1 event; found a limit of \(limit).")
      precondition(
        lane != nil, "Delivery .posting has no mailbox that could overflow; use .unbounded, or deliver elsewhere.")
    }
  }

  func checkForStream() {
    switch self {
    case .unbounded: return
    case .dropOldest(let limit), .dropNewest(let limit):
      precondition(limit >= 1, "A stream must hold at least 1 event; found a limit of \(limit).")
    }
  }
}
