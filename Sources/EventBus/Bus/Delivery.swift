public import Dispatch

/// The thread or scheduler on which a handler is called, and the limit of its mailbox.
public struct Delivery: Sendable {
  enum Destination: Sendable {
    case posting, main, workers
    case queue(DispatchQueue)
    case scheduler(any Scheduler)
  }

  let destination: Destination
  /// The policy for events that exceed the limit. Always ``Overflow/unbounded`` for ``posting``, which has no mailbox.
  let limit: Overflow

  /// Returns the scheduler of the mailbox, or nil for inline delivery.
  func scheduler(of runtime: any Runtime) -> (any Scheduler)? {
    switch destination {
    case .posting: return nil
    case .main: return runtime.main
    case .workers: return runtime.workers
    case .queue(let queue):
      guard runtime is DispatchRuntime else {
        // This is a mistake in the calling code: work on the queue would not follow the runtime's clock, and tests
        // could not observe it.
        fatalError(
          "Delivery on a queue needs DispatchRuntime; subscribe with .scheduler(runtime.serial(…)) instead.")
      }
      return DispatchScheduler(queue, isSerial: true)
    case .scheduler(let scheduler): return scheduler
    }
  }

  private init(_ destination: Destination, limit: Overflow = .unbounded) {
    limit.validate()
    (self.destination, self.limit) = (destination, limit)
  }

  /// On the posting thread, before `post` returns. An event that is posted inside a handler is delivered after that
  /// handler has returned.
  public static let posting = Delivery(.posting)

  /// On the main scheduler of the bus's runtime, never inside `post`.
  public static let main = Delivery(.main)

  /// On main, with a limited mailbox. A limit below 1 terminates the process with a message.
  public static func main(limit: Overflow) -> Delivery { Delivery(.main, limit: limit) }

  /// On the workers of the bus's runtime, never inside `post`. Each subscription still runs one event at a time.
  public static let workers = Delivery(.workers)

  /// On the workers, with a limited mailbox. A limit below 1 terminates the process with a message.
  public static func workers(limit: Overflow) -> Delivery { Delivery(.workers, limit: limit) }

  /// On a serial queue, never inside `post`. Requires the Dispatch runtime. Use ``scheduler(_:limit:)`` for a concurrent
  /// queue. A limit below 1 terminates the process with a message.
  public static func queue(_ queue: DispatchQueue, limit: Overflow = .unbounded) -> Delivery {
    Delivery(.queue(queue), limit: limit)
  }

  /// On a scheduler, never inside `post`. On a concurrent scheduler, each subscription still runs one event at a time. A
  /// limit below 1 terminates the process with a message.
  public static func scheduler(_ scheduler: any Scheduler, limit: Overflow = .unbounded) -> Delivery {
    Delivery(.scheduler(scheduler), limit: limit)
  }
}

/// ``Delivery/main`` for a handler that may be isolated to the main actor.
///
/// A subscription with `on: .main` uses this type, so its handler may use main-actor state.
public struct MainDelivery: Sendable {
  @usableFromInline let delivery: Delivery

  /// On the main scheduler of the bus's runtime, never inside `post`.
  public static let main = MainDelivery(delivery: .main)

  /// On main, with a limited mailbox. A limit below 1 terminates the process with a message.
  public static func main(limit: Overflow) -> MainDelivery { MainDelivery(delivery: .main(limit: limit)) }
}

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
