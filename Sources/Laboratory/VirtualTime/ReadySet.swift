/// The items that can run next, valid during one choice.
///
/// They are in the order in which first in, first out would run them: what is ready by the order in which it became ready,
/// then what waits for its time, or whose time has just come, by due time.
public struct ReadySet {
  private let core: VirtualCore
  /// How many items there are.
  public let count: Int

  init(_ core: VirtualCore, count: Int) {
    self.core = core
    self.count = count
  }

  /// One of them.
  public subscript(index: Int) -> ReadyItem {
    guard core.isMine, index >= 0, index < count else {
      fatalError("There is no item \(index) of \(count), or the choice is over: a ready set is valid during one.")
    }
    return core.queue.readyItem(at: index)
  }

  /// Whether one of them would not run, if it were chosen, but join the queue of its scheduler.
  package func joinsQueue(_ index: Int) -> Bool { core.queue.joinsQueue(index) }

  /// The virtual time at which the choice is made.
  public var now: Duration { core.figures.now }
}
