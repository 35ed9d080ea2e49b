// does not compile: 'CLOCK_MONOTONIC_COARSE' is unavailable

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

func read() {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
}
