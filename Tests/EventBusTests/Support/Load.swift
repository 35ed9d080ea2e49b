import EventBus
import Synchronization

/// Counts the loads that are alive.
final class Tally: Sendable {
  private let count = Atomic(0)

  var living: Int { count.load(ordering: .sequentiallyConsistent) }

  fileprivate func add(_ change: Int) { count.wrappingAdd(change, ordering: .sequentiallyConsistent) }
}

/// What an event or a handler holds: tells when it is released, and may do something then.
final class Load: Sendable {
  private let tally: Tally
  private let lastWords: (@Sendable () -> Void)?

  init(_ tally: Tally, lastWords: (@Sendable () -> Void)? = nil) {
    self.tally = tally
    self.lastWords = lastWords
    tally.add(1)
  }

  /// For handlers, which capture what they use.
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
