public import Synchronization

/// Counts the deliveries that wait somewhere, and wakes those who wait until there are none.
@usableFromInline
final class IdleWatch: Sendable {
  private let pending = Atomic<Int>(0)
  private let waiters = Locked<[CheckedContinuation<Void, Never>]>([])
  @usableFromInline let watched = Atomic<Bool>(false)

  var isPending: Bool { pending.load(ordering: .sequentiallyConsistent) != 0 }

  /// Whether somebody waits: read after each delivery.
  @inlinable var isWatched: Bool { watched.load(ordering: .sequentiallyConsistent) }

  /// Something waits from now on.
  func add(_ count: Int = 1) { pending.wrappingAdd(count, ordering: .sequentiallyConsistent) }

  /// It was handled, or will never be. Follow with ``resumeIfIdle(_:)`` once no lock is held.
  func settle(_ count: Int = 1) { pending.wrappingSubtract(count, ordering: .sequentiallyConsistent) }

  /// Resumes the continuation once nothing waits. To be followed by ``resumeIfIdle(_:)``.
  func add(_ waiter: CheckedContinuation<Void, Never>) {
    waiters.withLock { waiters in
      waiters.append(waiter)
      watched.store(true, ordering: .sequentiallyConsistent)
    }
  }

  func resumeIfIdle(_ core: BusCore) {
    guard isWatched else { return }
    let resumed: [CheckedContinuation<Void, Never>] = waiters.withLock { waiters in
      // Looked at under the lock, or it might be older than what the newest waiter waits for.
      if core.isBusy { return [] }
      defer { waiters = [] }
      watched.store(false, ordering: .sequentiallyConsistent)
      return waiters
    }
    resumed.forEach { $0.resume() }
  }
}
