/// Decides which of several ready items a virtual runtime runs next.
///
/// It is called on one thread at a time, and only where there is a choice. It must not call the runtime.
public protocol SchedulePolicy: AnyObject, Sendable {
  /// The index of the item to run. Zero is always what would run first in, first out.
  func choose(from ready: ReadySet) -> Int
}
