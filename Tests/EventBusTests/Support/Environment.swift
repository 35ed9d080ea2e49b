#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A variable of the process's environment.
func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
