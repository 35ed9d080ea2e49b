import Foundation
import Harness

/// A blocking HTTP client over a plain socket of the system.
final class PlainSocket: Sendable {
  struct Refused: Error {}

  private let descriptor: Int32

  init(_ port: UInt16) throws(Refused) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Refused() }
  }

  deinit { close(descriptor) }

  /// Reads a whole response.
  func get(_ path: String) {
    let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    require(send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count, "the request was not sent")
    var received = Data()
    var piece = [UInt8](repeating: 0, count: 65536)
    var end: Int?
    while end.map({ received.count < $0 }) ?? true {
      let count = recv(descriptor, &piece, piece.count, 0)
      require(count > 0, "the response to \(path) ended early")
      received += piece[..<count]
      guard end == nil, let head = received.range(of: Data("\r\n\r\n".utf8)) else { continue }
      let fields = String(decoding: received[..<head.lowerBound], as: UTF8.self)
      guard let match = fields.firstMatch(of: /Content-Length: ([0-9]+)/), let length = Int(match.1) else {
        fatalError("the response to \(path) has no length")
      }
      end = head.upperBound + length
    }
  }
}
