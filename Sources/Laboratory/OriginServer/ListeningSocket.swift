import HTTPWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A socket that is bound to 127.0.0.1 and listens on request. The owner must close the socket.
struct ListeningSocket: Sendable {
  let descriptor: Int32
  let port: UInt16

  /// Binds the port and listens. If the port is 0, binds any free port.
  init(port: UInt16) throws(OriginError) {
    try self.init(port, sharing: false)
    do throws(OriginError) { try listen() } catch {
      System.closeDescriptor(descriptor)
      throw error
    }
  }

  private init(_ port: UInt16, sharing isShared: Bool) throws(OriginError) {
    let socket = System.streamSocket()
    guard socket >= 0 else { throw .cannotListen(System.message(System.error)) }
    let descriptor = System.renumber(socket)
    do throws(OriginError) {
      // Connections that a previous server left behind must not block its port.
      System.setOption(descriptor, level: SOL_SOCKET, SO_REUSEADDR)
      if isShared { System.setOption(descriptor, level: SOL_SOCKET, SO_REUSEPORT) }
      self.port = try Self.take(port, descriptor)
      self.descriptor = descriptor
    } catch {
      System.closeDescriptor(descriptor)
      throw error
    }
  }

  /// Returns another socket on the same port, which does not listen. After this socket is closed, the system refuses
  /// connections, and the port is still in use.
  func successor() throws(OriginError) -> ListeningSocket {
    // Setting both options keeps the port in use throughout the change. The options are set only here, so that two
    // servers never share a port.
    System.setOption(descriptor, level: SOL_SOCKET, SO_REUSEPORT)
    defer { System.setOption(descriptor, level: SOL_SOCKET, SO_REUSEPORT, 0) }
    let successor = try ListeningSocket(port, sharing: true)
    // The successor must not share the port either, even with a server that starts in the meantime.
    for option in [SO_REUSEPORT, SO_REUSEADDR] {
      System.setOption(successor.descriptor, level: SOL_SOCKET, option, 0)
    }
    return successor
  }

  /// Starts accepting connections.
  func listen() throws(OriginError) {
    // Restore the initial setting.
    System.setOption(descriptor, level: SOL_SOCKET, SO_REUSEADDR)
    guard Self.startListening(descriptor) != 0 else { return }
    let code = System.error
    throw code == EADDRINUSE ? .portInUse(port) : .cannotListen(System.message(code))
  }

  private static func take(_ port: UInt16, _ descriptor: Int32) throws(OriginError) -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> Int32 in
        guard bind(descriptor, pointer, size) == 0 else { return System.error }
        return getsockname(descriptor, pointer, &size) == 0 ? 0 : System.error
      }
    }
    switch code {
    case 0: return UInt16(bigEndian: address.sin_port)
    case EADDRINUSE: throw .portInUse(port)
    default: throw .cannotListen(System.message(code))
    }
  }

  private static func startListening(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.listen(descriptor, 1024)
    #elseif canImport(Musl)
      Musl.listen(descriptor, 1024)
    #elseif canImport(Darwin)
      Darwin.listen(descriptor, 1024)
    #endif
  }
}
