import HTTPWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A bound and listening socket on 127.0.0.1. Whoever takes it closes it.
struct ListeningSocket: Sendable {
  let descriptor: Int32
  let port: UInt16

  init(port: UInt16) throws(OriginError) {
    let socket = System.streamSocket()
    guard socket >= 0 else { throw .cannotListen(System.message(System.error)) }
    let descriptor = System.adopt(socket)
    do throws(OriginError) {
      // A server that has just stopped leaves waiting connections behind, which must not keep its port.
      System.setOption(descriptor, level: SOL_SOCKET, SO_REUSEADDR)
      self.port = try Self.listen(descriptor, port)
      self.descriptor = descriptor
    } catch {
      System.closeDescriptor(descriptor)
      throw error
    }
  }

  private static func listen(_ descriptor: Int32, _ port: UInt16) throws(OriginError) -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> Int32 in
        guard bind(descriptor, pointer, size) == 0 else { return System.error }
        guard Self.startListening(descriptor) == 0 else { return System.error }
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
