#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system calls of sockets, without the differences between platforms.
package enum System {
  package static var error: Int32 { errno }

  package static func message(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// Returns a new socket. A child process that starts at the same time does not inherit it, except on Darwin.
  package static func streamSocket(_ family: Int32 = AF_INET) -> Int32 {
    #if canImport(Darwin)
      socket(family, streamType, 0)
    #else
      socket(family, streamType | closeOnExec, 0)
    #endif
  }

  static var streamType: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  #if canImport(Glibc)
    private static let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
  #elseif canImport(Musl)
    private static let closeOnExec = SOCK_CLOEXEC
  #endif

  /// Moves the socket to a descriptor number that URLSession does not use, and prepares it. Closes the given number.
  ///
  /// On Linux, curl closes the socket with which a name lookup wakes it, while an event source of Foundation still
  /// watches that number. A socket that takes the number at that moment shares the old registration and gets no events:
  /// one in a few hundred sockets, next to a failing lookup (swift-corelibs-libdispatch #833). The system assigns the
  /// lowest free numbers, so these are left to others while there are high ones.
  package static func renumber(_ descriptor: Int32) -> Int32 {
    let high = fcntl(descriptor, F_DUPFD_CLOEXEC, 512)
    guard high >= 0 else { return prepare(descriptor) }
    closeDescriptor(descriptor)
    return prepare(high)
  }

  package static func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

  /// Makes the socket non-blocking, and keeps child processes from inheriting it.
  private static func prepare(_ descriptor: Int32) -> Int32 {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  package static func setOption(_ descriptor: Int32, level: Int32, _ option: Int32, _ value: Int32 = 1) {
    var value = value
    _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Returns a prepared connection, or nil with ``error`` set.
  package static func acceptConnection(_ listening: Int32) -> Int32? {
    // Glibc's module does not export `accept4`. A child process that starts before `prepare` inherits this descriptor.
    let accepted = accept(listening, nil, nil)
    return accepted < 0 ? nil : prepareConnection(accepted)
  }

  /// Returns a prepared socket that is connecting, or nil with ``error`` set. When the socket is writable,
  /// ``hasConnected(_:)`` returns the result.
  package static func openConnection(to address: SocketAddress) -> Int32? {
    let opened = streamSocket(address.family)
    guard opened >= 0 else { return nil }
    let descriptor = prepareConnection(opened)
    let result = address.withPointer { connect(descriptor, $0, $1) }
    guard result < 0, error != EINPROGRESS, error != EINTR else { return descriptor }
    let code = error
    closeDescriptor(descriptor)
    errno = code
    return nil
  }

  /// Whether a finished connection attempt succeeded. A peer that has reset the connection since then did accept it.
  static func hasConnected(_ descriptor: Int32) -> Bool {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 && [0, ECONNRESET, EPIPE].contains(code)
  }

  private static func prepareConnection(_ socket: Int32) -> Int32 {
    let descriptor = renumber(socket)
    setOption(descriptor, level: Int32(IPPROTO_TCP), TCP_NODELAY)
    #if canImport(Darwin)
      setOption(descriptor, level: SOL_SOCKET, SO_NOSIGPIPE)
    #endif
    return descriptor
  }

  /// Sends without the signal for a closed connection.
  package static func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      send(descriptor, bytes.baseAddress, bytes.count, 0)
    #else
      send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }

  package static func receiveBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    recv(descriptor, bytes.baseAddress, bytes.count, 0)
  }

  /// Closes a listening socket. Connections are refused when it returns, but a starting child process may hold a copy
  /// of the descriptor for a moment.
  package static func closeListener(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    closeDescriptor(descriptor)
  }

  package static func endSending(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes the next close send a reset instead of a clean end.
  package static func resetOnClose(_ descriptor: Int32) {
    var linger = linger(l_onoff: 1, l_linger: 0)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }

  package static func wouldBlock(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }
}

/// The address of a socket, in the system's format.
package struct SocketAddress: Equatable, Sendable {
  package let family: Int32
  private let bytes: [UInt8]

  /// Returns the addresses of a host in the order in which to try them, or none.
  ///
  /// - Parameter isNumber: accepts only IP addresses and makes no lookup. For a name, the call may block for a long
  ///   time.
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
