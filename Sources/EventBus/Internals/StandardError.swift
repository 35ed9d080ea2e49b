#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The last resort for a failure that nobody asked to hear of.
enum StandardError {
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      #if canImport(Darwin)
        _ = Darwin.write(2, bytes.baseAddress, bytes.count)
      #elseif canImport(Musl)
        _ = Musl.write(2, bytes.baseAddress, bytes.count)
      #else
        _ = Glibc.write(2, bytes.baseAddress, bytes.count)
      #endif
    }
  }
}
