#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The calls of the system that sockets need, with the platforms' differences hidden.
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

  /// The same socket under a number that URLSession does not use, prepared. The given number is closed.
  ///
  /// On Linux, curl closes the socket by which a name lookup wakes it while an event source of Foundation still watches
  /// that number. Who takes the number in that moment shares the old registration, and hears nothing (one in a few hundred
  /// sockets, beside a lookup that fails; swift-corelibs-libdispatch #833). The lowest free numbers are the ones that
  /// are taken, so these are left to others as long as there are high ones.
  package static func renumber(_ descriptor: Int32) -> Int32 {
    let high = fcntl(descriptor, F_DUPFD_CLOEXEC, 512)
    guard high >= 0 else { return prepare(descriptor) }
    closeDescriptor(descriptor)
    return prepare(high)
  }

  package static func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

  /// Makes calls return at once, and keeps child processes from inheriting the descriptor.
  private static func prepare(_ descriptor: Int32) -> Int32 {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  package static func setOption(_ descriptor: Int32, level: Int32, _ option: Int32, _ value: Int32 = 1) {
    var value = value
    _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// A prepared connection, or nil with ``error`` set.
  package static func acceptConnection(_ listening: Int32) -> Int32? {
    // Glibc's module does not export `accept4`. A child process that starts before `prepare` inherits this descriptor.
    let accepted = accept(listening, nil, nil)
    return accepted < 0 ? nil : prepareConnection(accepted)
  }

  /// A prepared socket that is being connected, or nil with ``error`` set. ``hasConnected(_:)`` says how that ended, as soon
  /// as there is room to send.
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

  /// Whether an attempt to connect, which has ended, succeeded. A peer that has reset the connection since did take it.
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

  /// Sends without the signal that a closed connection would raise.
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

  /// Closes a socket that takes connections. They are refused when it returns, though a process that is being started may hold
  /// a copy of the descriptor for a moment longer.
  package static func closeListener(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    closeDescriptor(descriptor)
  }

  package static func endSending(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes the coming close send a reset instead of a proper end.
  package static func resetOnClose(_ descriptor: Int32) {
    var linger = linger(l_onoff: 1, l_linger: 0)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }

  package static func wouldBlock(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }
}

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
