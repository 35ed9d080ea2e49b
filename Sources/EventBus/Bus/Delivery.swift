public import Dispatch

/// The thread or scheduler on which a handler is called.
public enum Delivery: Sendable {
  /// On the posting thread, before `post` returns. An event that is posted inside a handler is delivered after that
  /// handler has returned.
  case posting

  /// On the main scheduler of the bus's runtime, never inside `post`.
  case main

  /// On the workers of the bus's runtime, never inside `post`. Each subscription still runs one event at a time.
  case workers

  /// On a serial queue, never inside `post`. Requires the Dispatch runtime. Use ``scheduler(_:)`` for a concurrent
  /// queue.
  case queue(DispatchQueue)

  /// On a scheduler, never inside `post`. On a concurrent scheduler, each subscription still runs one event at a time.
  case scheduler(any Scheduler)
}

/// ``Delivery/main`` for a handler that may be isolated to the main actor.
///
/// A subscription with `on: .main` uses this type, so its handler may use main-actor state.
public enum MainDelivery: Sendable {
  /// On the main scheduler of the bus's runtime, never inside `post`.
  case main
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
  func validate(hasMailbox: Bool = true) {
    guard let limit else { return }
    if limit < 1 { fatalError("A mailbox or stream must hold at least 1 event; found a limit of \(limit).") }
    if hasMailbox { return }
    fatalError("Delivery .posting has no mailbox that can overflow; use .unbounded, or another delivery.")
  }

  var limit: Int? {
    switch self {
    case .unbounded: nil
    case .dropOldest(let limit), .dropNewest(let limit): limit
    }
  }

  var keepsNewest: Bool { if case .dropOldest = self { true } else { false } }
}
