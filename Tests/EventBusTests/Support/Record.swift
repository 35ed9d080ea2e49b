import EventBus
import Synchronization

/// The values that handlers record from any thread.
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

/// An unsynchronized counter. It is exact only where the bus promises that calls do not run concurrently.
final class Unprotected: @unchecked Sendable { var count = 0 }

/// A flag that any thread can set.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
