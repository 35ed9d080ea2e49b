/// What a subscription with a limit has waiting in its lane. Used under the lane's lock, which is what makes it sendable.
final class LaneBound: @unchecked Sendable {
  private let limit: Int
  private let keepsNewest: Bool
  private var waiting = Fifo<Tally>()

  /// Nil for a mailbox without a limit.
  init?(_ overflow: Overflow) {
    switch overflow {
    case .unbounded: return nil
    case .dropOldest(let limit): (self.limit, keepsNewest) = (limit, true)
    case .dropNewest(let limit): (self.limit, keepsNewest) = (limit, false)
    }
  }

  /// Offers one more parcel: whether it is taken, and which one has to go for it.
  func offer(_ parcel: Tally) -> (isTaken: Bool, evicted: Tally?) {
    if waiting.count < limit {
      waiting.append(parcel)
      return (true, nil)
    }
    guard keepsNewest else { return (false, nil) }
    let evicted = waiting.popFirst()
    waiting.append(parcel)
    return (true, evicted)
  }

  /// Whether the parcel is the next one, which leaves the mailbox by this.
  func claim(_ parcel: Tally) -> Bool {
    guard waiting.first === parcel else { return false }
    _ = waiting.popFirst()
    return true
  }
}
