import EventBus
import Synchronization

/// What handlers saw, from any thread.
final class Record<Value: Sendable>: Sendable {
  private let stored = Locked<[Value]>([])

  func append(_ value: Value) { stored.withLock { $0.append(value) } }

  var values: [Value] { stored.withLock { $0 } }

  func removeAll() {
    let released = stored.withLock { stored in
      defer { stored = [] }
      return stored
    }
    withExtendedLifetime(released) {}
  }
}

/// Counts without any protection: only exact where the bus promises that nobody counts beside another.
final class Unprotected: @unchecked Sendable { var count = 0 }

/// Set once, from any thread.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
