import Foundation
package import HTTPWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A socket that listens on 127.0.0.1 and accepts no connection by itself.
package final class LoopbackListener: Sendable {
  package let descriptor = System.streamSocket()
  package let port: UInt16
  package let address: SocketAddress
  /// Connections that are never accepted.
  private let unaccepted: [Int32]

  /// - Parameter isSilent: Whether the queue is full from the start, so that no further connection is established.
  package init(isSilent: Bool = false) throws {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let listens = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, isSilent ? 0 : 64) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    port = UInt16(bigEndian: name.sin_port)
    guard listens, let address = SocketAddress.all(of: "127.0.0.1", port: port, isNumber: true).first else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    self.address = address
    unaccepted = isSilent ? [System.openConnection(to: address) ?? -1] : []
    // The connection is in the queue when it is ready to send.
    var first = pollfd(fd: unaccepted.first ?? -1, events: Int16(POLLOUT), revents: 0)
    if isSilent, poll(&first, 1, 10_000) != 1 { throw POSIXError(.ETIMEDOUT) }
  }

  deinit { for descriptor in unaccepted + [descriptor] { System.closeDescriptor(descriptor) } }

  #if os(Linux)
    /// The number of connections that are not yet established.
    package var connecting: Int {
      let table = try? FileHandle(forReadingAtPath: "/proc/self/net/tcp")?.readToEnd()
      let end = ":" + String(format: "%04X", Int(port))
      return String(decoding: table ?? Data(), as: UTF8.self).split(separator: "\n").count { line in
        let fields = line.split(separator: " ")
        // The remote port is this one, and the state is SYN_SENT.
        return fields.count > 3 && fields[2].hasSuffix(end) && fields[3] == "02"
      }
    }
  #endif

  /// Accepts `count` connections and closes each immediately. It blocks until then.
  package func hangUp(_ count: Int, reset: Bool) {
    for _ in 0..<count {
      let connection = accept(descriptor, nil, nil)
      if reset { System.resetOnClose(connection) }
      System.closeDescriptor(connection)
    }
  }
}
