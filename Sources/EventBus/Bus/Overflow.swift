/// What a mailbox does with more events than it may hold. Events being handled, or already read, do not count.
public enum Overflow: Sendable {
  /// Holds everything, as long as memory lasts.
  case unbounded

  /// Holds this many at most, and drops the oldest for a new one. At least 1.
  case dropOldest(Int)

  /// Holds this many at most, and drops what is posted while it is full. At least 1.
  case dropNewest(Int)

  /// Traps if it is of no use.
  func validate(hasMailbox: Bool = true) {
    guard let limit else { return }
    if limit < 1 { fatalError("A mailbox or stream must hold at least 1 event; found a limit of \(limit).") }
    if hasMailbox { return }
    fatalError("Delivery .posting has no mailbox that could overflow; use .unbounded, or deliver elsewhere.")
  }

  var limit: Int? {
    switch self {
    case .unbounded: nil
    case .dropOldest(let limit), .dropNewest(let limit): limit
    }
  }

  var keepsNewest: Bool { if case .dropOldest = self { true } else { false } }
}
