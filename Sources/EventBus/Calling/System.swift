#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

enum System {
  /// A number for the current thread that is unique among running threads.
  static var thread: UInt64 {
    #if canImport(Darwin)
      var id: UInt64 = 0
      pthread_threadid_np(nil, &id)
      return id
    #elseif canImport(Musl)
      return UInt64(UInt(bitPattern: pthread_self()))
    #else
      return UInt64(pthread_self())
    #endif
  }

  /// An approximate time. It can lag by a few milliseconds, but is much faster to read than the exact time.
  static var coarseNanoseconds: Int {
    #if canImport(Darwin)
      return Int(clock_gettime_nsec_np(CLOCK_UPTIME_RAW_APPROX))
    #else
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
      return time.tv_sec * 1_000_000_000 + time.tv_nsec
    #endif
  }

  /// Yields the processor to other threads.
  static func yield() { sched_yield() }

  /// Writes to standard error, as a last resort for mistakes that no hook reports.
  static func report(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  }
}
