import Foundation
import OriginServer
import TestMachine
import Testing

@Suite(.blocking, .timeLimit(.minutes(10))) struct ResponseTests {
  private func serve(_ responses: [OriginResponse], then: OriginRoute.Continuation = .repeatLast) throws -> (
    OriginServer, Client
  ) {
    let route = OriginRoute(path: "/r", responses: responses, then: then)
    let server = try OriginServer(content: OriginContent(routes: [route]))
    return (server, try Client(server.port))
  }

  private func statuses(_ client: Client, _ count: Int) throws -> [Int] {
    try (0..<count).map { _ in
      client.get("/r")
      return try client.readResponse().head.status
    }
  }

  @Test(
    "After its last response, a route repeats it, starts over, or fails, as declared",
    arguments: [
      (OriginRoute.Continuation.repeatLast, [503, 200, 200, 200, 200]), (.cycle, [503, 200, 503, 200, 503]),
      (.error, [503, 200, 500, 500, 500]),
    ])
  func aRouteContinuesAsItSays(then: OriginRoute.Continuation, expected: [Int]) throws {
    let (server, client) = try serve([OriginResponse(status: 503), OriginResponse()], then: then)
    #expect(try statuses(client, 5) == expected)
    #expect(server.counters.connections == 1)
  }

  @Test("A computed route receives the number of each request")
  func aRouteThatComputesIsAskedForEachRequestByItsNumber() throws {
    let route = OriginRoute(path: "/r") { number, _ in OriginResponse(status: 200 + number) }
    let server = try OriginServer(content: OriginContent(routes: [route]))
    let client = try Client(server.port)
    #expect(try statuses(client, 5) == [200, 201, 202, 203, 204])
    #expect(server.counters.requests == 5)
  }

  @Test("Replaced content applies to the next request")
  func replacedContentCountsForTheNextRequest() throws {
    let (server, client) = try serve([OriginResponse(status: 503), OriginResponse()])
    #expect(try statuses(client, 2) == [503, 200])
    let route = OriginRoute(path: "/r", responses: [OriginResponse(status: 410), OriginResponse(status: 201)])
    server.replace(OriginContent(routes: [route]))
    #expect(try statuses(client, 2) == [410, 201])
    server.resetCounters()
    #expect(server.counters.requests == 0)
    #expect(server.counters.open == 1)
  }

  @Test("A chunked body has chunks of the requested size")
  func aChunkedBodyHasChunksOfTheSizeAsked() throws {
    let (server, client) = try serve([OriginResponse(body: .text("0123456789"), chunked: true, chunkSize: 4)])
    client.get("/r", "Connection: close\r\n")
    #expect(try client.readHead().fields["transfer-encoding"] == "chunked")
    let (bytes, end) = client.readToEnd()
    #expect(String(decoding: bytes, as: UTF8.self) == "4\r\n0123\r\n4\r\n4567\r\n2\r\n89\r\n0\r\n\r\n")
    #expect(end == .closed)
    _ = server
  }

  @Test("Without a declared length, the end of the connection ends the body")
  func withoutALengthTheConnectionEndsTheBody() throws {
    let (server, client) = try serve([OriginResponse(body: .text("body"), sendsContentLength: false)])
    client.get("/r")
    let head = try client.readHead()
    #expect(head.fields["content-length"] == nil)
    #expect(head.fields["connection"] == "close")
    #expect(client.readToEnd() == (Array("body".utf8), .closed))
    _ = server
  }

  @Test("A response with status 204 or 304 has no body", arguments: [204, 304])
  func someStatusesHaveNoBody(status: Int) throws {
    let (server, client) = try serve([OriginResponse(status: status, body: .text("body"))])
    for _ in 0..<2 {
      client.get("/r")
      let head = try client.readHead()
      #expect(head.status == status)
      #expect(head.fields["content-length"] == nil)
    }
    #expect(server.counters.connections == 1)
  }

  @Test("A line break in a header value does not add a header field")
  func aLineBreakInAHeaderAddsNoHeader() throws {
    let (server, client) = try serve([OriginResponse(headers: [("X-A", "b\r\nX-Evil: c")])])
    client.get("/r")
    let fields = try client.readHead().fields
    #expect(fields["x-a"] == "b  X-Evil: c")
    #expect(fields["x-evil"] == nil)
    _ = server
  }

  @Test("Latency delays the first byte of its response and no other connection")
  func latencyDelaysTheFirstByteAndNoOtherConnection() throws {
    let slow = OriginRoute(path: "/slow", OriginResponse(latency: .milliseconds(50)))
    let late = OriginRoute(path: "/late", OriginResponse(latency: .seconds(3600)))
    let server = try OriginServer(content: OriginContent(routes: [slow, late]))
    let waiting = try (0..<20).map { _ in try Client(server.port) }
    for client in waiting { client.get("/late") }
    #expect(server.wait { $0.requests == 20 })
    for _ in 0..<8 {
      let client = try Client(server.port)
      let start = ContinuousClock.now
      client.get("/slow")
      #expect(try client.readResponse().head.status == 200)
      #expect(ContinuousClock.now - start >= .milliseconds(50))
    }
  }

  @Test("The default latency applies to responses without their own latency")
  func theDefaultLatencyHoldsWhereThereIsNoOther() throws {
    let server = try OriginServer(content: OriginContent(defaultLatency: .milliseconds(50)))
    let client = try Client(server.port)
    let start = ContinuousClock.now
    client.get("/any")
    #expect(try client.readResponse().head.status == 404)
    #expect(ContinuousClock.now - start >= .milliseconds(50))
  }

  @Test("A response's bandwidth limits the rate of its body")
  func bandwidthLimitsTheBody() throws {
    let (server, client) = try serve([OriginResponse(body: .bytes(20_000), bytesPerSecond: 100_000)])
    let start = ContinuousClock.now
    client.get("/r")
    #expect(try client.readResponse().body == Array(OriginBody.pattern(20_000)))
    #expect(ContinuousClock.now - start >= .milliseconds(190))
    _ = server
  }

  @Test("A slow reader receives a large body completely")
  func aLargeBodyArrivesWholeAtASlowReader() throws {
    let count = 20_000_000
    let (server, client) = try serve([OriginResponse(body: .bytes(count))])
    client.get("/r")
    let head = try client.readHead()
    #expect(head.fields["content-length"] == String(count))
    // By now the server has filled the socket buffer, and it must resume sending on its own.
    #expect(server.wait { $0.bytesSent > 100_000 })
    var position = 0
    while position < count {
      let piece = try client.read(min(250_000, count - position))
      #expect(piece.first == UInt8(position % 251))
      #expect(piece.last == UInt8((position + piece.count - 1) % 251))
      position += piece.count
    }
    client.get("/r")
    #expect(try client.readHead().status == 200)
  }

  @Test("The server drops a client that leaves during the latency")
  func aClientThatLeavesDuringTheLatencyIsForgotten() throws {
    let (server, client) = try serve([OriginResponse(latency: .seconds(3600))])
    client.get("/r")
    #expect(server.wait { $0.requests == 1 })
    client.shut()
    #expect(server.wait { $0.open == 0 })
  }

  @Test("The server drops a client that leaves during the body")
  func aClientThatLeavesDuringTheBodyIsForgotten() throws {
    let (server, client) = try serve([OriginResponse(body: .bytes(1_000_000_000))])
    client.get("/r")
    _ = try client.readHead()
    client.shut()
    #expect(server.wait { $0.open == 0 })
    let other = try Client(server.port)
    other.get("/missing")
    #expect(try other.readResponse().head.status == 404)
  }
}
