/// Parses the responses on one connection from pieces of any size. The parser is a pure value.
///
/// The parser is strict wherever a guess could misplace the end of a body. The bytes that follow would then be mistaken
/// for another response.
package struct ResponseParser {
  package enum Event {
    /// A line that no other event reports was consumed.
    case line
    /// The final head. Interim heads (100 to 199) are skipped.
    case head(ResponseHead)
    /// A piece of the body, which is a slice of the given bytes.
    case body(UnsafeRawBufferPointer)
    /// The response is complete. Another response can follow if the connection stays open.
    case end(staysOpen: Bool)
    /// The response is invalid. Later bytes cannot be parsed.
    case failed(Fault)
  }

  package enum Fault: Error, Equatable, Sendable {
    /// The first line is not a status line.
    case notHTTP
    /// The head is invalid or longer than ``maximumHeadBytes``.
    case malformedHead
    /// A chunk has no valid size or does not end correctly.
    case malformedBody
    /// The connection ended before the end of the head.
    case cutInHead
    /// The connection ended before the end of the body.
    case cutInBody
  }

  private enum Phase {
    case statusLine, fields
    case counted(rest: Int)
    case untilClose
    case chunkSize
    case chunk(rest: Int)
    case chunkEnd, trailer
    case over
  }

  /// The maximum length of a head, and of the lines of a chunked body.
  package static let maximumHeadBytes = 64 * 1024

  private var phase = Phase.statusLine
  /// The bytes of an incomplete line.
  private var held: [UInt8] = []
  /// The number of bytes in the head's lines so far.
  private var lineBytes = 0
  private var head = ResponseHead(status: 0)
  private var framing = FramingFields()
  private var minorVersion = 1
  private let isForHead: Bool

  /// Creates a parser for the response to one request.
  ///
  /// - Parameter isForHead: whether the request method was HEAD. The response to HEAD never has a body.
  package init(isForHead: Bool = false) { self.isForHead = isForHead }

  /// Removes the next event from the bytes and returns it. Returns nil if more bytes are needed. No event follows `end`
  /// or `failed`.
  ///
  /// Each call consumes at most one line or one piece, so the caller can bound its work by the number of calls.
  package mutating func next(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> Event? {
    switch phase {
    case .statusLine, .fields, .chunkSize, .chunkEnd, .trailer:
      guard let event = nextLine(&bytes) else { return nil }
      return event ?? .line
    case .counted(let rest):
      guard let piece = take(rest, &bytes) else { return rest == 0 ? end() : nil }
      phase = .counted(rest: rest - piece.count)
      return .body(piece)
    case .chunk(let rest):
      guard let piece = take(rest, &bytes) else { return nil }
      phase = rest == piece.count ? .chunkEnd : .chunk(rest: rest - piece.count)
      return .body(piece)
    case .untilClose: return take(.max, &bytes).map(Event.body)
    case .over: return nil
    }
  }

  /// Returns the event for the end of the connection, or nil if the response is already complete.
  package mutating func connectionEnded() -> Event? {
    switch phase {
    case .statusLine, .fields: fail(.cutInHead)
    case .untilClose: end()
    case .counted, .chunkSize, .chunk, .chunkEnd, .trailer: fail(.cutInBody)
    case .over: nil
    }
  }

  private mutating func end() -> Event {
    let isCounted = if case .untilClose = phase { false } else { true }
    phase = .over
    // If both fields are present, the client and the server may disagree about where the next response starts.
    let isClear = framing.transferCoding == nil || framing.contentLength == nil
    return .end(staysOpen: isCounted && isClear && framing.staysOpen(minorVersion: minorVersion))
  }

  private mutating func fail(_ fault: Fault) -> Event {
    phase = .over
    return .failed(fault)
  }

  private func take(_ limit: Int, _ bytes: inout Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer? {
    guard limit > 0, !bytes.isEmpty else { return nil }
    let piece = bytes.prefix(limit)
    bytes = bytes[piece.endIndex...]
    return UnsafeRawBufferPointer(rebasing: piece)
  }

  // MARK: Lines

  /// Processes a line. Returns nil if the line is incomplete, or a nil event if there is nothing to report.
  private mutating func nextLine(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> Event?? {
    let end = bytes.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
    let part = bytes[..<(end ?? bytes.endIndex)]
    bytes = bytes[part.endIndex...]
    lineBytes += part.count
    guard lineBytes <= Self.maximumHeadBytes else { return fail(lineFault) }
    if end != nil, held.isEmpty { return interpret(part) }
    held.append(contentsOf: part)
    guard end != nil else { return nil }
    let whole = held
    held = []
    return whole.withUnsafeBytes { interpret($0[...]) }
  }

  private var lineFault: Fault {
    switch phase {
    case .statusLine: .notHTTP
    case .fields: .malformedHead
    default: .malformedBody
    }
  }

  private mutating func interpret(_ line: Slice<UnsafeRawBufferPointer>) -> Event? {
    guard line.dropLast().last == UInt8(ascii: "\r") else { return fail(lineFault) }
    let line = line.dropLast(2)
    switch phase {
    case .statusLine: return statusLine(line)
    case .fields: return line.isEmpty ? headEnded() : field(line)
    case .chunkSize:
      guard let size = ChunkedCoding.size(line) else { return fail(.malformedBody) }
      phase = size == 0 ? .trailer : .chunk(rest: size)
      lineBytes = 0
    case .chunkEnd:
      guard line.isEmpty else { return fail(.malformedBody) }
      phase = .chunkSize
    case .trailer: if line.isEmpty { return end() }
    case .counted, .chunk, .untilClose, .over: preconditionFailure("Internal inconsistency: a line within a body")
    }
    return nil
  }

  /// Parses a status line such as `HTTP/1.1 200 OK`. The reason phrase is optional.
  private mutating func statusLine(_ line: Slice<UnsafeRawBufferPointer>) -> Event? {
    let version = line.prefix(8)
    let status = line.dropFirst(9).prefix(3)
    guard version.starts(with: "HTTP/1.".utf8), let minor = version.dropFirst(7).first, isDigit(minor),
      line.dropFirst(8).first == UInt8(ascii: " "), status.count == 3, status.allSatisfy(isDigit),
      line.dropFirst(12).first.map({ $0 == UInt8(ascii: " ") }) ?? true
    else { return fail(.notHTTP) }
    minorVersion = Int(minor - UInt8(ascii: "0"))
    head = ResponseHead(status: status.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
    framing = FramingFields()
    phase = .fields
    return head.status < 100 ? fail(.notHTTP) : nil
  }

  private mutating func field(_ line: Slice<UnsafeRawBufferPointer>) -> Event? {
    guard let field = HeaderLine(line) else { return fail(.malformedHead) }
    let value = String(decoding: field.value, as: UTF8.self)
    head.fields.append(ResponseHead.Field(name: String(decoding: field.name, as: UTF8.self), value: value))
    switch field.name.count {
    case 10, 14, 17:
      let lowercased = { (bytes: Slice<UnsafeRawBufferPointer>) in
        String(decoding: asciiLowercased(bytes), as: UTF8.self)
      }
      do { try framing.add(lowercased(field.name), lowercased(field.value)) } catch { return fail(.malformedHead) }
    default: break
    }
    return nil
  }

  private mutating func headEnded() -> Event? {
    lineBytes = 0
    guard head.status >= 200 else {
      phase = .statusLine
      // The client did not ask to switch protocols.
      return head.status == 101 ? fail(.malformedHead) : nil
    }
    if isForHead || head.status == 204 || head.status == 304 {
      head.contentLength = isForHead ? framing.contentLength : nil
      phase = .counted(rest: 0)
    } else if let coding = framing.transferCoding {
      guard coding == "chunked" else { return fail(.malformedHead) }
      phase = .chunkSize
    } else if let length = framing.contentLength {
      head.contentLength = length
      phase = .counted(rest: length)
    } else {
      phase = .untilClose
    }
    return .head(head)
  }
}
