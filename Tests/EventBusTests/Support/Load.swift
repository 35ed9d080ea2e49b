import EventBus
import Synchronization

/// A counter of the loads that exist.
final class Tally: Sendable {
  private let count = Atomic(0)

  var living: Int { count.load(ordering: .sequentiallyConsistent) }

  fileprivate func add(_ change: Int) { count.wrappingAdd(change, ordering: .sequentiallyConsistent) }
}

/// An object that an event or a handler retains. Its release is counted and can run a closure.
final class Load: Sendable {
  private let tally: Tally
  private let lastWords: (@Sendable () -> Void)?

  init(_ tally: Tally, lastWords: (@Sendable () -> Void)? = nil) {
    self.tally = tally
    self.lastWords = lastWords
    tally.add(1)
  }

  /// Lets a handler use the load, so that the handler captures it.
  func use() { withExtendedLifetime(self) {} }

  deinit {
    lastWords?()
    tally.add(-1)
  }
}

struct Loading: Event { let load: Load }

struct StickyLoading: Event {
  static var replay: Int { 1 }
  let load: Load
  var number = 0
}

struct KeyedLoading: KeyedEvent {
  static var replay: Int { 1 }
  let key: Int
  let load: Load
}
