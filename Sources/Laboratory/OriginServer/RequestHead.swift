import HTTPWire

/// The parts of a request's line and header fields that the server uses.
struct RequestHead: Equatable {
  enum Method: Equatable { case get, head, post, other }

  var method: Method
  /// The path and query as sent.
  var target: String
  /// The percent-decoded path without the query.
  var path: OriginPath
  /// The requested host, with its port. Nil only for HTTP/1.0.
  var host: String?
  /// Whether the client supports chunks: from HTTP/1.1 on.
  var understandsChunks: Bool
  var keepsAlive: Bool
  var contentLength: Int
  var expectsContinue: Bool
  /// The request as sent, up to its empty line.
  var text: [UInt8] = []

  /// The header fields in order.
  var fields: [(name: String, value: String)] {
    text.withUnsafeBytes { bytes in
      // The request line is not a field.
      bytes[...].split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { line in
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        return HeaderLine(line).map {
          (name: String(decoding: $0.name, as: UTF8.self), value: String(decoding: $0.value, as: UTF8.self))
        }
      }
    }
  }
}

/// Limits on the size of a request.
enum RequestLimits {
  static let lineBytes = 8 * 1024
  static let headBytes = 32 * 1024
  static let fields = 100
  static let bodyBytes = 64 * 1024 * 1024
  /// The limit on bytes read ahead while a response is sent.
  static let readAhead = 64 * 1024
  /// The maximum number of bytes to accept while a response is delayed. They are read immediately, because only reading
  /// shows that the client has gone.
  static let readWhileWaiting = 1024 * 1024
}

/// The status of a request that the server rejects.
struct Refusal: Error, Equatable {
  var status: Int
}
