#if canImport(Darwin)
  public import Darwin
#elseif canImport(Musl)
  public import Musl
#else
  public import Glibc
#endif

/// A value that is protected by a lock.
///
/// This type does not use `Synchronization.Mutex`. On Linux, the kernel passes a contended mutex directly to the next
/// thread, and the thread sanitizer cannot see this. The sanitizer therefore reports every contended access as a race
/// (Swift 6.3.1). The mutex's priority inheritance also breaks down with more than four contending threads.
///
/// `Sendable` is unchecked, because the value is accessed only between `lock` and `unlock`.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  // The lock already ensures exclusive access.
  @exclusivity(unchecked) @usableFromInline var content: Content

  /// The guarded content, which is never empty. A property of size zero has the address of the object itself. The
  /// thread sanitizer would then report each access as a race with every caller.
  @usableFromInline struct Content {
    @usableFromInline var value: Value
    let filler: UInt8 = 0
  }

  package init(_ value: sending Value) {
    content = Content(value: value)
    mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    defer { pthread_mutexattr_destroy(&attributes) }
    #if canImport(Glibc)
      // The mutex spins briefly before it sleeps, because work under these locks takes less time than a wake-up.
      pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
    #endif
    let status = pthread_mutex_init(mutex, &attributes)
    if status != 0 { fatalError("pthread_mutex_init failed with \(status).") }
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Calls `body` with the value, one caller at a time. The lock is not recursive, and `body` must not call client
  /// code.
  @inlinable package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock()
    defer { unlock() }
    return try body(&content.value)
  }

  /// Locks without accessing the value, for a lock that guards memory elsewhere.
  @inlinable package func lock() { pthread_mutex_lock(mutex) }

  @inlinable package func unlock() { pthread_mutex_unlock(mutex) }
}
