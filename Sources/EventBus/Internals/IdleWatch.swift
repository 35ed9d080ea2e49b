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

  func wait(_ core: BusCore) async {
    await withCheckedContinuation { continuation in
      waiters.withLock { $0.append(continuation) }
      watched.store(true, ordering: .sequentiallyConsistent)
      resumeIfIdle(core)
    }
  }

  func resumeIfIdle(_ core: BusCore) {
    guard isWatched, !core.isBusy else { return }
    let resumed = waiters.withLock { waiters in
      defer { waiters = [] }
      watched.store(false, ordering: .sequentiallyConsistent)
      return waiters
    }
    resumed.forEach { $0.resume() }
  }
}
