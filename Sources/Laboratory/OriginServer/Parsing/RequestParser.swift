import HTTPWire

/// Reads request heads, strictly: what is not proper HTTP is refused rather than guessed at.
enum RequestParser {
  enum Outcome: Equatable {
    /// The head is not complete yet.
    case incomplete
    /// A head, and how many bytes it took.
    case head(RequestHead, byteCount: Int)
    /// Not to be answered but with this status; nothing after it can be trusted.
    case refused(status: Int)
  }

  static func parse(_ bytes: Slice<UnsafeRawBufferPointer>) -> Outcome {
    var rest = bytes
    // https://www.rfc-editor.org/rfc/rfc9112#section-2.2-6
    while rest.starts(with: [UInt8(ascii: "\r"), UInt8(ascii: "\n")]) { rest = rest.dropFirst(2) }
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

  /// The next line without its end, or nil when it is not complete.
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

/// Why a request is not answered as asked.
struct Refusal: Error, Equatable {
  var status: Int
}
