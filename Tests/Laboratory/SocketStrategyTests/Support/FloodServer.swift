import Foundation
import HTTPWire
import ModelFixtures

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server that reads one request and responds with the test's bytes, which may be millions.
final class FloodServer: Sendable {
  let url: URL
  private let listening: LoopbackListener

  /// - Parameter beforeAnswer, afterAnswer: Called on the server's thread. When the second is called, the system has
  ///   taken all bytes of a small response.
  init(
    _ answer: Data, beforeAnswer: @escaping @Sendable () -> Void = {}, afterAnswer: @escaping @Sendable () -> Void = {}
  ) throws {
    let listening = try LoopbackListener()
    self.listening = listening
    url = URL(string: "http://127.0.0.1:\(listening.port)/flood")!
    Thread.detachNewThread {
      let connection = accept(listening.descriptor, nil, nil)
      defer { close(connection) }
      var request = [UInt8](repeating: 0, count: 65_536)
      guard recv(connection, &request, request.count, 0) > 0 else { return }
      beforeAnswer()
      defer { afterAnswer() }
      answer.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty, case let count = System.sendBytes(connection, .init(rebasing: rest)), count > 0 {
          rest = rest.dropFirst(count)
        }
      }
    }
  }

  /// Returns a response whose body has `count` chunks of one byte.
  static func chunks(_ count: Int) -> Data {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    return Data((head + String(repeating: "1\r\na\r\n", count: count) + "0\r\n\r\n").utf8)
  }
}
