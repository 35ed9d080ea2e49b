import HTTPWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A socket that is bound to 127.0.0.1 or [::1] and listens on request. The owner must close the socket.
struct ListeningSocket: Sendable {
  let descriptor: Int32
  let port: UInt16

  /// Binds the port and listens. If the port is 0, binds any free port.
  ///
  /// - Parameter isVersion6: whether to bind [::1] instead of 127.0.0.1.
  init(port: UInt16, isVersion6: Bool = false) throws(OriginError) {
    try self.init(port, sharing: false, isVersion6: isVersion6)
    do throws(OriginError) { try listen() } catch {
      System.closeDescriptor(descriptor)
      throw error
    }
  }

  private init(_ port: UInt16, sharing isShared: Bool, isVersion6: Bool = false) throws(OriginError) {
    let socket = System.streamSocket(isVersion6 ? AF_INET6 : AF_INET)
    guard socket >= 0 else { throw .cannotListen(System.message(System.error)) }
    let descriptor = System.renumber(socket)
    do throws(OriginError) {
      // Connections that a previous server left behind must not block its port.
      System.setOption(descriptor, level: SOL_SOCKET, SO_REUSEADDR)
      if isShared { System.setOption(descriptor, level: SOL_SOCKET, SO_REUSEPORT) }
      let name = isVersion6 ? "::1" : "127.0.0.1"
      guard let address = SocketAddress.all(of: name, port: port, isNumber: true).first else {
        throw OriginError.cannotListen("\(name) is not an address")
      }
      self.port = try Self.take(address, port, descriptor)
      self.descriptor = descriptor
    } catch {
      System.closeDescriptor(descriptor)
      throw error
    }
  }

  #if canImport(Darwin)
    private init(refusing port: UInt16) { (descriptor, self.port) = (-1, port) }
  #endif

  /// Returns a socket for the same port, which does not listen. After this socket is closed, the system refuses
  /// connections.
  ///
  /// On Linux the port is still in use. On Darwin it is not, and another server can take it: a socket that is bound but
  /// does not listen would let a client wait for 75 seconds there, so the result has no descriptor.
  func successor() throws(OriginError) -> ListeningSocket {
    #if canImport(Darwin)
      return ListeningSocket(refusing: port)
    #else
      return try boundSuccessor()
    #endif
  }

  private func boundSuccessor() throws(OriginError) -> ListeningSocket {
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

  /// Returns this socket, which now accepts connections, or on Darwin another one for its port.
  func listening() throws(OriginError) -> ListeningSocket {
    guard descriptor >= 0 else { return try ListeningSocket(port: port) }
    try listen()
    return self
  }

  /// Starts accepting connections.
  private func listen() throws(OriginError) {
    // Restore the initial setting.
    System.setOption(descriptor, level: SOL_SOCKET, SO_REUSEADDR)
    guard Self.startListening(descriptor) != 0 else { return }
    let code = System.error
    throw code == EADDRINUSE ? .portInUse(port) : .cannotListen(System.message(code))
  }

  private static func take(
    _ address: SocketAddress, _ port: UInt16, _ descriptor: Int32
  ) throws(OriginError) -> UInt16 {
    let code = System.bindSocket(descriptor, to: address) ? 0 : System.error
    switch code {
    case 0: return System.port(of: descriptor)
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
