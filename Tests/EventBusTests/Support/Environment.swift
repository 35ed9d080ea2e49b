#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Returns a variable from the process's environment.
func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
