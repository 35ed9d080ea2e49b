import Synchronization

/// Counts the pending deliveries, and stores the callers that are waiting until the count is zero.
final class InFlightCounter: Sendable {
  private typealias Waiter = CheckedContinuation<Bool, Never>

  private struct Waiters: Sendable {
    var byNumber: [UInt64: Waiter] = [:]
    var last: UInt64 = 0
    /// A delivery in flight that must end before the waiting callers are resumed.
    var awaited: HazardRecord.Visit?
  }

  private let pending = Atomic<Int>(0)
  private let watched = Atomic<Bool>(false)
  private let waiters = Locked(Waiters())

  var isPending: Bool { pending.load(ordering: .sequentiallyConsistent) != 0 }

  var isWatched: Bool { watched.load(ordering: .sequentiallyConsistent) }

  /// Adds a pending delivery to the count.
  func add() { pending.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  /// Removes handled or discarded deliveries from the count. Returns whether a caller is waiting for the count to reach
  /// zero.
  func remove(_ count: Int = 1) -> Bool {
    pending.wrappingSubtract(count, ordering: .sequentiallyConsistent)
    return isWatched
  }

  /// Waits until ``resumeAll(unless:)`` resumes the caller, and returns true. Returns false if the task is cancelled
  /// first. Calls `begun` once the wait has begun.
  func wait(_ begun: () -> Void) async -> Bool {
    let number = waiters.withLock { waiters in
      waiters.last += 1
      return waiters.last
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiters.withLock { waiters in
          waiters.byNumber[number] = continuation
          watched.store(true, ordering: .sequentiallyConsistent)
        }
        // The cancellation handler below may have run too early to find the continuation.
        if Task.isCancelled { giveUp(number) } else { begun() }
      }
    } onCancel: {
      giveUp(number)
    }
  }

  private func giveUp(_ number: UInt64) {
    let waiter = waiters.withLock { waiters in
      defer { watched.store(!waiters.byNumber.isEmpty, ordering: .sequentiallyConsistent) }
      return waiters.byNumber.removeValue(forKey: number)
    }
    waiter?.resume(returning: false)
  }

  func resumeAll(unless isBusy: (inout HazardRecord.Visit?) -> Bool) {
    let resumed: [Waiter] = waiters.withLock { waiters in
      // Checked under the lock, because an earlier value could predate the newest waiting caller.
      if isBusy(&waiters.awaited) { return [] }
      defer { waiters.byNumber = [:] }
      watched.store(false, ordering: .sequentiallyConsistent)
      return Array(waiters.byNumber.values)
    }
    for waiter in resumed { waiter.resume(returning: true) }
  }
}
