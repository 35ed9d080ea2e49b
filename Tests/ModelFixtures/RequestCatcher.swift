package import Foundation
import HTTPWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server for one request. It keeps the bytes of the request and responds with bytes that the test chooses.
package final class RequestCatcher: Sendable {
  package let address: String
  private let listening: LoopbackListener
  private let answer: Data

  /// - Parameter answer: All bytes that are sent before the connection closes. The default is status 201 with `{}`.
  package init(answer: Data = Data(created.utf8)) throws {
    self.answer = answer
    listening = try LoopbackListener()
    address = "http://127.0.0.1:\(listening.port)/upload"
  }

  private static let created =
    "HTTP/1.1 201 Created\r\nContent-Length: 2\r\nContent-Type: application/json\r\nX-Kept: yes\r\n\r\n{}"

  /// Waits for the request and responds to it.
  package func request() async -> (head: [String], body: Data) {
    await withCheckedContinuation { continuation in
      // Use a separate thread, because serving blocks.
      Thread { [self] in continuation.resume(returning: serve()) }.start()
    }
  }

  private func serve() -> (head: [String], body: Data) {
    let connection = accept(listening.descriptor, nil, nil)
    _ = System.suppressSignals(connection)
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
    _ = answer.withUnsafeBytes { System.sendBytes(connection, $0) }
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
