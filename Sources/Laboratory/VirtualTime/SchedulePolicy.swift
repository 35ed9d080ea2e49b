/// Chooses which of several ready items a virtual runtime runs next.
///
/// The runtime calls a policy on one thread at a time, and only if more than one item can run next. A policy must not
/// call the runtime.
public protocol SchedulePolicy: AnyObject, Sendable {
  /// Returns the index of the item to run. Index 0 is the item that would run next in first-in, first-out order.
  func choose(from ready: ReadySet) -> Int
}

/// The items that can run next. The set is valid only during one choice.
///
/// The items are in first-in, first-out order. Ready items come first, in the order in which they became ready. Delayed
/// items follow, ordered by due time.
public struct ReadySet {
  private let core: VirtualCore
  /// The number of items.
  public let count: Int

  init(_ core: VirtualCore, count: Int) {
    self.core = core
    self.count = count
  }

  /// The item at an index.
  public subscript(index: Int) -> ReadyItem {
    guard core.isMine, index >= 0, index < count else {
      fatalError(
        "ReadySet[\(index)]: the set has \(count) items, and can be used only in the `choose` call that received it.")
    }
    return core.queue.readyItem(at: index)
  }

  /// Whether the item at this index, if chosen, joins the queue of its scheduler instead of running.
  package func joinsQueue(_ index: Int) -> Bool { core.queue.joinsQueue(index) }

  /// The virtual time at which the choice is made.
  public var now: Duration { core.figures.now }
}
