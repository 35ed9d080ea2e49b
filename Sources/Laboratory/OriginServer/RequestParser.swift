import HTTPWire

/// Parses request heads strictly. The parser rejects malformed HTTP instead of guessing.
enum RequestParser {
  enum Outcome: Equatable {
    /// The head is not complete yet.
    case incomplete
    /// A complete head and its length in bytes.
    case head(RequestHead, byteCount: Int)
    /// The request is rejected with this status. The rest of the input cannot be trusted.
    case refused(status: Int)
  }

  static func parse(_ bytes: Slice<UnsafeRawBufferPointer>) -> Outcome {
    var rest = bytes
    // https://www.rfc-editor.org/rfc/rfc9112#section-2.2-6
    while rest.count > 1, rest[rest.startIndex] == UInt8(ascii: "\r"), rest[rest.startIndex + 1] == UInt8(ascii: "\n") {
      rest = rest.dropFirst(2)
    }
    guard let first = rest.first else {
      return bytes.count > RequestLimits.headBytes ? .refused(status: 400) : .incomplete
    }
    guard isToken(first) || first == UInt8(ascii: "\r") else { return .refused(status: 400) }

    do throws(Refusal) {
      guard let line = try takeLine(&rest, limit: RequestLimits.lineBytes, status: 414) else { return .incomplete }
      let requestLine = try RequestLine(line)
      var fields = HeaderFields()
      while true {
        let room = RequestLimits.headBytes - (rest.startIndex - bytes.startIndex)
        guard let line = try takeLine(&rest, limit: room, status: 431) else { return .incomplete }
        if line.isEmpty { break }
        try fields.add(line)
      }
      var head = try fields.head(for: requestLine)
      head.text = Array(bytes[..<rest.startIndex])
      return .head(head, byteCount: rest.startIndex - bytes.startIndex)
    } catch {
      return .refused(status: error.status)
    }
  }

  /// Removes the next line and returns it without its line end, or returns nil if the line is incomplete.
  private static func takeLine(
    _ rest: inout Slice<UnsafeRawBufferPointer>, limit: Int, status: Int
  ) throws(Refusal) -> Slice<UnsafeRawBufferPointer>? {
    do throws(LineFault) {
      return try nextLine(&rest, limit: limit)
    } catch {
      throw Refusal(status: error == .tooLong ? status : 400)
    }
  }
}

/// The server's interpretation of a request target, which does not depend on the connection.
package enum OriginTarget: Sendable {
  /// The path of a valid target.
  case path(OriginPath)
  /// The response to a malformed or overlong target.
  case refused(OriginResponse)

  /// Parses a target.
  ///
  /// - Parameter target: the path and query, as in a GET request.
  package init(_ target: String) {
    let request = Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    self = request.withUnsafeBytes { bytes in
      switch RequestParser.parse(bytes[...]) {
      case .head(let head, _): .path(head.path)
      case .refused(let status): .refused(.plain(status))
      // A head that ends with an empty line is always complete, regardless of its content.
      case .incomplete: .refused(.plain(400))
      }
    }
  }
}
