public import Dispatch

/// Where a handler is called.
public enum Delivery: Sendable {
  /// On the thread that posts, before `post` returns. For a post inside a handler, after that handler.
  case posting

  /// On the main scheduler of the bus's runtime, never inside `post`.
  case main

  /// On the workers of the bus's runtime, never inside `post`. Each subscription still runs one event at a time.
  case workers

  /// On a serial queue, never inside `post`. Needs the runtime of Dispatch; use ``scheduler(_:)`` for a concurrent queue.
  case queue(DispatchQueue)

  /// On a scheduler, never inside `post`. On a concurrent one each subscription still runs one event at a time.
  case scheduler(any Scheduler)
}

/// ``Delivery/main`` for a handler that may be isolated to the main actor.
///
/// Where a subscription says `on: .main`, this is what it means, so that its handler may use what belongs to the main actor.
public enum MainDelivery: Sendable {
  /// On the main scheduler of the bus's runtime, never inside `post`.
  case main
}
