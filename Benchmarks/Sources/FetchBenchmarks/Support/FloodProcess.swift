import Foundation

/// A hostile server in a separate process: it answers every request with an endless body, in chunks of one byte.
struct FloodProcess: Sendable {
  static let argument = "--flood"
  /// `http://127.0.0.1:port/`
  let address: String
  private let process: ChildProcess

  init() {
    process = ChildProcess(URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path, [Self.argument])
    let greeting = process.line()
    guard let port = UInt16(greeting) else { fatalError("the server printed “\(greeting)” instead of its port") }
    address = "http://127.0.0.1:\(port)/"
  }

  /// Serves until standard input ends.
  static func serve() -> Never {
    let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listening, $0, length) == 0 && listen(listening, 64) == 0 && getsockname(listening, $0, &length) == 0
      }
    }
    guard isListening else { fatalError("the server cannot listen") }
    Thread.detachNewThread {
      while case let connection = accept(listening, nil, nil), connection >= 0 {
        Thread.detachNewThread { flood(connection) }
      }
    }
    FileHandle.standardOutput.write(Data("\(UInt16(bigEndian: address.sin_port))\n".utf8))
    while !FileHandle.standardInput.availableData.isEmpty {}
    exit(0)
  }

  private static func flood(_ connection: Int32) {
    defer { close(connection) }
    var request = [UInt8](repeating: 0, count: 65536)
    let head = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    let chunks = Array(String(repeating: "1\r\na\r\n", count: 10_000).utf8)
    guard recv(connection, &request, request.count, 0) > 0,
      send(connection, head, head.count, Int32(MSG_NOSIGNAL)) == head.count
    else { return }
    // A blocking send takes all bytes, unless the client has closed the connection.
    while send(connection, chunks, chunks.count, Int32(MSG_NOSIGNAL)) == chunks.count {}
  }
}
