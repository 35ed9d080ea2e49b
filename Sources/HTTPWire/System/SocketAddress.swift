#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a socket can be connected to, in the system's own form.
package struct SocketAddress: Equatable, Sendable {
  package let family: Int32
  private let bytes: [UInt8]

  /// The addresses of a host, in the order in which to try them; none where it has none.
  ///
  /// - Parameter isNumber: takes addresses only, and asks nobody; for a name the call may block for long.
  package static func all(of host: String, port: UInt16, isNumber: Bool) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = System.streamType
    hints.ai_flags = AI_NUMERICSERV | (isNumber ? AI_NUMERICHOST : 0)
    var first: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &first) == 0 else { return [] }
    defer { freeaddrinfo(first) }
    var addresses: [SocketAddress] = []
    var next = first
    while let info = next?.pointee {
      if let address = info.ai_addr {
        let bytes = UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen))
        addresses.append(SocketAddress(family: info.ai_family, bytes: Array(bytes)))
      }
      next = info.ai_next
    }
    return addresses
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    bytes.withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count)) }
  }
}
