#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

enum ThisThread {
  /// A number that no other living thread has.
  static var id: UInt64 {
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
}
