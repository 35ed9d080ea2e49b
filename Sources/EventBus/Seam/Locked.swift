#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A value that is only reached under a lock.
///
/// Not `Synchronization.Mutex`: on Linux that is a futex which the kernel hands over under contention, where the thread
/// sanitizer cannot see it, so that every contended access is reported as a race (seen in Swift 6.3.1). And it has the
/// priority inheritance that collapses above four contending threads.
///
/// Unchecked because the value is only touched between locking and unlocking.
package final class Locked<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  // The lock sees to it.
  @exclusivity(unchecked) private var content: Content

  /// Never empty: a property of no size has the address of the object itself, where the thread sanitizer takes an access for a
  /// race with every caller.
  private struct Content {
    var value: Value
    let filler: UInt8 = 0
  }

  package init(_ value: sending Value) {
    content = Content(value: value)
    mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    defer { pthread_mutexattr_destroy(&attributes) }
    #if canImport(Glibc)
      // A short spin before sleeping: what is done under these locks is shorter than a wake-up.
      pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
    #endif
    let status = pthread_mutex_init(mutex, &attributes)
    if status != 0 { fatalError("pthread_mutex_init failed with \(status).") }
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the value, one caller at a time. Not recursive; `body` must call no foreign code.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock()
    defer { unlock() }
    return try body(&content.value)
  }

  /// For a lock that guards what lies elsewhere.
  func lock() { pthread_mutex_lock(mutex) }

  func unlock() { pthread_mutex_unlock(mutex) }
}
