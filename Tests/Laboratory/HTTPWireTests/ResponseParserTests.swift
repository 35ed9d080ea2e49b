import HTTPWire
import Testing

@Suite struct ResponseParserTests {
  /// The result of parsing bytes that arrive in pieces.
  private struct Reading: Equatable {
    var heads: [ResponseHead] = []
    var body: [UInt8] = []
    var staysOpen: Bool?
    var fault: ResponseParser.Fault?
    /// The number of bytes after the end of the response.
    var rest = 0

    init(_ text: String, piece: Int = .max, isForHead: Bool = false, closes: Bool = false) {
      var parser = ResponseParser(isForHead: isForHead)
      var bytes = Array(text.utf8)[...]
      while !bytes.isEmpty, !isOver {
        let count = min(piece, bytes.count)
        Array(bytes.prefix(count)).withUnsafeBytes { buffer in
          var slice = buffer[...]
          while let event = parser.next(&slice) { take(event) }
          rest = slice.count
        }
        bytes = bytes.dropFirst(count)
      }
      rest += bytes.count
      if closes, let event = parser.connectionEnded() { take(event) }
    }

    private var isOver: Bool { staysOpen != nil || fault != nil }

    private mutating func take(_ event: ResponseParser.Event) {
      switch event {
      case .line: break
      case .head(let head): heads.append(head)
      case .body(let piece): body += piece
      case .end(let staysOpen): self.staysOpen = staysOpen
      case .failed(let fault): self.fault = fault
      }
    }
  }

  private static let whole: [(text: String, body: String, staysOpen: Bool)] = [
    ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd", "abcd", true),
    ("HTTP/1.1 200\r\ncontent-LENGTH:4\t\r\n\r\nabcd", "abcd", true),
    ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "", true),
    ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nabcd", "abcd", true),
    ("HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\n", "", true),
    ("HTTP/1.1 304 Not Modified\r\n\r\n", "", true),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: x, Close\r\n\r\na", "a", false),
    ("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", "a", false),
    ("HTTP/1.0 200 OK\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\na", "a", true),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n", "abc", true),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\nA\r\n0123456789\r\n0\r\nX-Sum: y\r\n\r\n", "0123456789",
      true
    ),
    // The intended length is ambiguous, so a following response cannot be trusted.
    ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", "a", false),
    (
      "HTTP/1.1 103 Early\r\nLink: a\r\n\r\nHTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", "a",
      true
    ),
  ]

  @Test("A response parses identically in pieces of any size, even of one byte", arguments: whole)
  func pieces(text: String, body: String, staysOpen: Bool) {
    let reading = Reading(text)
    #expect(reading.heads.count == 1)
    #expect(String(decoding: reading.body, as: UTF8.self) == body)
    #expect(reading.staysOpen == staysOpen)
    #expect(reading.rest == 0)
    for piece in 1...text.utf8.count { #expect(Reading(text, piece: piece) == reading, "pieces of \(piece)") }
  }

  @Test("A body without a length ends when the connection closes")
  func untilClose() {
    for piece in [1, 7, .max] {
      let reading = Reading("HTTP/1.1 200 OK\r\n\r\nabcd", piece: piece, closes: true)
      #expect(String(decoding: reading.body, as: UTF8.self) == "abcd")
      #expect(reading.staysOpen == false)
      #expect(reading.heads.first?.contentLength == nil)
    }
  }

  @Test("A response to HEAD has no body, whatever length it declares")
  func head() {
    let reading = Reading("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", isForHead: true)
    #expect(reading.staysOpen == true)
    #expect(reading.heads.first?.contentLength == 1000)
  }

  @Test("The parser leaves the bytes after a response untouched")
  func rest() {
    #expect(Reading("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/").rest == 5)
    #expect(Reading("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nab").rest == 2)
  }

  @Test("Header fields keep their names and values, and match in any letter case")
  func fields() {
    let head = Reading("HTTP/1.1 200 OK\r\nX-A:  b c \r\nETag:\r\nx-a: d\r\nContent-Length: 0\r\n\r\n").heads.first
    #expect(head?.fields.prefix(3).map(\.name) == ["X-A", "ETag", "x-a"])
    #expect(head?.fields.prefix(3).map(\.value) == ["b c", "", "d"])
    #expect(head?.value(of: "x-a") == "b c")
    #expect(head?.value(of: "etag")?.isEmpty == true)
    #expect(head?.value(of: "x-b") == nil)
  }

  private static let broken: [(text: String, fault: ResponseParser.Fault)] = [
    ("HTTQ/banana not a status line\r\n\r\n", .notHTTP), ("HTTP/2 200\r\n", .notHTTP), ("HTTP/1.1 20\r\n", .notHTTP),
    ("HTTP/1.1 2000 OK\r\n", .notHTTP), ("HTTP/1.1 099 OK\r\n", .notHTTP), ("\r\n", .notHTTP),
    ("HTTP/1.1 200 OK\n", .notHTTP), ("HTTP/1.1 200 OK\r\nA: b\n", .malformedHead),
    ("HTTP/1.1 200 OK\r\nno colon\r\n", .malformedHead), ("HTTP/1.1 200 OK\r\nA : b\r\n", .malformedHead),
    ("HTTP/1.1 200 OK\r\n folded\r\n", .malformedHead), ("HTTP/1.1 200 OK\r\nA: \u{1}\r\n", .malformedHead),
    ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n", .malformedHead),
    ("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n", .malformedHead),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n", .malformedHead),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .malformedHead),
    ("HTTP/1.1 101 Switching\r\n\r\n", .malformedHead),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot-a-size\r\n", .malformedBody),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", .malformedBody),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8000000000000000\r\n", .malformedBody),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", .malformedBody),
  ]

  @Test("The parser finds the fault of a malformed response in pieces of any size", arguments: broken)
  func faults(text: String, fault: ResponseParser.Fault) {
    for piece in 1...text.utf8.count { #expect(Reading(text, piece: piece).fault == fault, "pieces of \(piece)") }
  }

  @Test("The parser accepts the greatest possible content length")
  func greatestLength() {
    let reading = Reading("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nabc")
    #expect(reading.heads.first?.contentLength == .max)
    #expect(reading.body.count == 3)
  }

  private static let tooLong: [(text: String, fault: ResponseParser.Fault)] = [
    ("HTTP", .notHTTP), ("HTTP/1.1 200 OK\r\nX-Long: ", .malformedHead),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", .malformedBody),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Sum: ", .malformedBody),
  ]

  @Test("An endless line is a fault in pieces of any size", arguments: tooLong)
  func lineWithoutEnd(text: String, fault: ResponseParser.Fault) {
    let endless = text + String(repeating: "a", count: ResponseParser.maximumHeadBytes)
    for piece in [1000, .max] { #expect(Reading(endless, piece: piece).fault == fault) }
    let lines = text + String(repeating: "a\r\nb: ", count: ResponseParser.maximumHeadBytes / 5)
    if text.hasSuffix(": ") { #expect(Reading(lines, piece: 1000).fault == fault) }
  }

  @Test("Wherever the connection ends, the parser reports a truncated head or body")
  func cuts() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let text = Array((head + "2\r\nab\r\n0\r\n\r\n").utf8)
    for count in 0..<text.count {
      let reading = Reading(String(decoding: text[..<count], as: UTF8.self), closes: true)
      #expect(reading.fault == (count < head.utf8.count ? .cutInHead : .cutInBody), "after \(count) bytes")
    }
    #expect(Reading(String(decoding: text, as: UTF8.self), closes: true).fault == nil)
  }
}
