import Foundation
import HTTPWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A blocking client on a plain socket that sees every byte. Reads time out after two minutes.
final class Client {
  enum End: Equatable {
    case closed, reset, timedOut
  }

  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ port: UInt16) throws {
    // A child process that inherited the descriptor would keep the connection open after `shut`.
    descriptor = System.streamSocket()
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    giveUp(after: 120)
    guard result == 0 else { throw Failure.refused }
  }

  /// Sets the time limit of later reads, in seconds.
  func giveUp(after seconds: Int) {
    var limit = timeval()
    limit.tv_sec = .init(seconds)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { shut() }

  enum Failure: Error { case refused, ended(End), noField(String) }

  private var isShut = false

  func shut() {
    guard !isShut else { return }
    isShut = true
    close(descriptor)
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { System.sendBytes(descriptor, $0) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func get(_ target: String, _ fields: String = "") {
    send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
  }

  /// Reads more bytes. Returns nil, or how the connection ended.
  private func fill() -> End? {
    var piece = [UInt8](repeating: 0, count: 65536)
    var count = recv(descriptor, &piece, piece.count, 0)
    // A debugger that attaches interrupts a read that has a time limit.
    while count < 0, errno == EINTR { count = recv(descriptor, &piece, piece.count, 0) }
    if count > 0 {
      buffer += piece[..<count]
      return nil
    }
    if count == 0 { return .closed }
    return errno == ECONNRESET ? .reset : .timedOut
  }

  func read(_ count: Int) throws -> [UInt8] {
    while buffer.count < count { if let end = fill() { throw Failure.ended(end) } }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  func readLine() throws -> String {
    while true {
      if let end = buffer.firstIndex(of: 10) { return String(decoding: try read(end + 1).dropLast(2), as: UTF8.self) }
      if let end = fill() { throw Failure.ended(end) }
    }
  }

  /// Reads until the connection ends. Returns the bytes and how it ended.
  func readToEnd() -> (bytes: [UInt8], end: End) {
    while true {
      if let end = fill() {
        defer { buffer = [] }
        return (buffer, end)
      }
    }
  }

  struct Head {
    var statusLine: String
    var fields: [String: String]
    var status: Int { Int(statusLine.split(separator: " ").dropFirst().first ?? "") ?? -1 }
  }

  func readHead() throws -> Head {
    let statusLine = try readLine()
    var fields: [String: String] = [:]
    while case let line = try readLine(), !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { throw Failure.noField(line) }
      fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    return Head(statusLine: statusLine, fields: fields)
  }

  /// Reads a response that declares its length.
  func readResponse() throws -> (head: Head, body: [UInt8]) {
    let head = try readHead()
    return (head, try read(Int(head.fields["content-length"] ?? "0")!))
  }
}
