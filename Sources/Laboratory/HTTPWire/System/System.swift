#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system calls for sockets, with the differences between platforms hidden.
package enum System {
  package static var error: Int32 { errno }

  package static func message(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// Returns a new socket. Except on Darwin, a child process that starts at the same time does not inherit the socket.
  package static func streamSocket(_ family: Int32 = AF_INET) -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(family, streamType, 0)
      _ = suppressSignals(descriptor)
      return descriptor
    #else
      return socket(family, streamType | closeOnExec, 0)
    #endif
  }

  /// Makes ``sendBytes(_:_:)`` return an error if the connection is closed, instead of raising a signal that ends the
  /// process. On Darwin this is an option of the socket, which the system refuses once both directions are closed.
  package static func suppressSignals(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      return setOption(descriptor, level: SOL_SOCKET, SO_NOSIGPIPE)
    #else
      return true
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

  /// Moves the socket to a descriptor number that URLSession does not use, and prepares it. Closes the original
  /// descriptor.
  ///
  /// On Linux, a name lookup wakes curl through a socket. Curl closes this socket while a Foundation event source is
  /// still watching its descriptor number. A new socket that gets the same number at that moment inherits the old
  /// registration and receives no events. While a lookup is failing, this affects one in a few hundred sockets
  /// (swift-corelibs-libdispatch #833). The system assigns the lowest free numbers. This function uses high numbers
  /// while any are free, so the low numbers remain available to other code.
  package static func renumber(_ descriptor: Int32) -> Int32 {
    let high = fcntl(descriptor, F_DUPFD_CLOEXEC, 512)
    guard high >= 0 else { return prepare(descriptor) }
    closeDescriptor(descriptor)
    return prepare(high)
  }

  package static func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

  /// Makes the socket non-blocking, and prevents child processes from inheriting it.
  private static func prepare(_ descriptor: Int32) -> Int32 {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  @discardableResult
  package static func setOption(_ descriptor: Int32, level: Int32, _ option: Int32, _ value: Int32 = 1) -> Bool {
    var value = value
    return setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
  }

  /// Accepts and prepares a connection. Returns nil and sets ``error`` on failure.
  package static func acceptConnection(_ listening: Int32) -> Int32? {
    // Glibc's module does not export `accept4`. A child process that starts before `prepare` inherits this descriptor.
    let accepted = accept(listening, nil, nil)
    guard accepted >= 0 else { return nil }
    guard suppressSignals(accepted) else {
      // The client is gone already, and a response to it would raise the signal.
      closeDescriptor(accepted)
      errno = ECONNABORTED
      return nil
    }
    return prepareConnection(accepted)
  }

  /// The errors of a connection that the peer accepted and has since reset. They can be reported in place of success.
  private static let resets = [ECONNRESET, ECONNABORTED, EPIPE]

  /// Returns a prepared socket that is connecting. On failure, returns nil and sets ``error``. Once the socket is
  /// writable, ``hasConnected(_:)`` returns the result.
  package static func openConnection(to address: SocketAddress) -> Int32? {
    let opened = streamSocket(address.family)
    guard opened >= 0 else { return nil }
    let descriptor = prepareConnection(opened)
    let result = address.withPointer { connect(descriptor, $0, $1) }
    let code = error
    guard result < 0, code != EINPROGRESS, code != EINTR, !resets.contains(code) else { return descriptor }
    closeDescriptor(descriptor)
    errno = code
    return nil
  }

  /// Returns whether a completed connection attempt succeeded. The result is also true if the peer accepted the
  /// connection and has since reset it.
  static func hasConnected(_ descriptor: Int32) -> Bool {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 && (code == 0 || resets.contains(code))
  }

  private static func prepareConnection(_ socket: Int32) -> Int32 {
    let descriptor = renumber(socket)
    setOption(descriptor, level: Int32(IPPROTO_TCP), TCP_NODELAY)
    return descriptor
  }

  /// Sends bytes without raising a signal if the connection is closed. On Darwin, ``suppressSignals(_:)`` must have
  /// succeeded for the socket.
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

  /// Closes a listening socket. Connections are refused by the time this function returns. On Linux this holds although
  /// a child process that is starting has a copy of the descriptor; on Darwin such a copy listens until it is closed.
  package static func closeListener(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    closeDescriptor(descriptor)
  }

  /// Binds a socket to an address. Returns false and sets ``error`` on failure.
  package static func bindSocket(_ descriptor: Int32, to address: SocketAddress) -> Bool {
    address.withPointer { bind(descriptor, $0, $1) == 0 }
  }

  /// The local port of a bound socket.
  package static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
      // The port is at the same offset in the addresses of both versions.
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }
  }

  package static func endSending(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes the next close send a reset instead of ending the connection cleanly.
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

  /// Returns the addresses of a host in the order in which to try them, or an empty array.
  ///
  /// - Parameter isNumber: whether to accept only IP addresses and perform no lookup. For a host name, the call can
  ///   block for a long time.
  package static func all(of host: String, port: UInt16, isNumber: Bool) -> [SocketAddress] {
    // A C string ends at a NUL, so the call would return the addresses of another host.
    guard !host.utf8.contains(0) else { return [] }
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
