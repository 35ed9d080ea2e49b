import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server for one request, which it keeps byte by byte and answers with bytes of the test's choice.
final class RequestCatcher: Sendable {
  let address: String
  private let listening: Int32
  private let answer: Data

  /// - Parameter answer: all that is sent before the connection closes; by default 201 and `{}`.
  init(answer: Data = Data(created.utf8)) throws {
    self.answer = answer
    #if canImport(Glibc)
      listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listening = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listening
    let isBound = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 1) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))/upload"
  }

  deinit { close(listening) }

  private static let created =
    "HTTP/1.1 201 Created\r\nContent-Length: 2\r\nContent-Type: application/json\r\nX-Kept: yes\r\n\r\n{}"

  /// Waits for the request and answers it.
  func request() async -> (head: [String], body: Data) {
    await withCheckedContinuation { continuation in
      // A thread of its own: it blocks.
      Thread { [self] in continuation.resume(returning: serve()) }.start()
    }
  }

  private func serve() -> (head: [String], body: Data) {
    let connection = accept(listening, nil, nil)
    defer { close(connection) }
    var bytes = Data()
    var end: Range<Data.Index>?
    while end == nil, receive(connection, &bytes) { end = bytes.range(of: Data("\r\n\r\n".utf8)) }
    let head = String(decoding: bytes[..<(end?.lowerBound ?? bytes.endIndex)], as: UTF8.self)
      .components(separatedBy: "\r\n")
    let field = head.first { $0.lowercased().hasPrefix("content-length:") }
    let length = field.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
    var body = Data(bytes[(end?.upperBound ?? bytes.endIndex)...])
    while body.count < length, receive(connection, &body) {}
    _ = answer.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
    return (head, body)
  }

  private func receive(_ connection: Int32, _ bytes: inout Data) -> Bool {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = recv(connection, &piece, piece.count, 0)
    guard count > 0 else { return false }
    bytes += piece[..<count]
    return true
  }
}
