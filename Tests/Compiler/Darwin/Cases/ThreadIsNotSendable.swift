// does not compile: has non-Sendable type

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct Owner: Sendable {
  let thread: pthread_t
}
