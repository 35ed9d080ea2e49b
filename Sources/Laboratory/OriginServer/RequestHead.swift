import HTTPWire

/// The parts of a request line and its header fields that the server uses.
struct RequestHead: Equatable {
  var method: RequestMethod
  /// The path and query as sent.
  var target: String
  /// The percent-decoded path without the query.
  var path: OriginPath
  /// The requested host with its port. The host is nil only for HTTP/1.0.
  var host: String?
  /// Whether the client supports chunks, which is the case from HTTP/1.1 onward.
  var understandsChunks: Bool
  var keepsAlive: Bool
  var contentLength: Int
  var expectsContinue: Bool
  /// The text of the request as sent, up to its empty line.
  var text: [UInt8] = []

  /// The header fields in order.
  var fields: [(name: String, value: String)] {
    text.withUnsafeBytes { bytes in
      // Skip the request line, which is not a field.
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
  /// The maximum number of bytes to read ahead while a response is being sent.
  static let readAhead = 64 * 1024
  /// The maximum number of bytes to accept while a response is delayed. The bytes are read immediately, because only a
  /// read reveals that the client has disconnected.
  static let readWhileWaiting = 1024 * 1024
}

/// The response status for a request that the server rejects.
struct Refusal: Error, Equatable {
  var status: Int
}
