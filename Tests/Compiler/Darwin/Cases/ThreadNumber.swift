// does not compile: missing argument label 'bitPattern:'

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

func number(of thread: pthread_t) -> UInt { UInt(thread) }
