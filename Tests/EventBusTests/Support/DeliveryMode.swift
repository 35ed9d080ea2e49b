import Dispatch
import EventBus

/// The ways in which the bus can call a handler.
enum DeliveryMode: CaseIterable {
  case posting, main, queue, serial, concurrent

  static let queued = allCases.filter { $0 != .posting }

  /// A delivery. For `queue` and `serial`, each access creates a new queue or scheduler.
  var delivery: Delivery { place(.unbounded) }

  /// A function from a limit to a delivery. All its deliveries share one queue or scheduler. `posting` has no mailbox, so
  /// it takes no limit.
  var place: @Sendable (Overflow) -> Delivery {
    switch self {
    case .posting:
      return { limit in
        if case .unbounded = limit { return .posting }
        fatalError("There is no mailbox to limit.")
      }
    case .main: return { .main(limit: $0) }
    case .queue:
      let queue = DispatchQueue(label: "place")
      return { .queue(queue, limit: $0) }
    case .serial:
      let scheduler = DispatchRuntime.shared.serial("place")
      return { .scheduler(scheduler, limit: $0) }
    case .concurrent: return { .scheduler(DispatchRuntime.shared.workers, limit: $0) }
    }
  }
}
