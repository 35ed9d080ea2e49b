import Foundation
import OriginServer
import TestMachine
import Testing

@Suite(.blocking, .timeLimit(.minutes(10))) struct FaultTests {
  let body = OriginBody.pattern(1000)

  private func serve(_ fault: OriginFault, body: Data? = nil) throws -> (OriginServer, Client) {
    let response = OriginResponse(body: .data(body ?? self.body), fault: fault)
    let server = try OriginServer(content: OriginContent(routes: [OriginRoute(path: "/f", response)]))
    let client = try Client(server.port)
    client.get("/f")
    return (server, client)
  }

  @Test("The fault closeBeforeHeaders closes the connection without sending a byte")
  func closeBeforeHeadersSendsNothing() throws {
    let (server, client) = try serve(.closeBeforeHeaders)
    let (bytes, end) = client.readToEnd()
    #expect(bytes.isEmpty)
    #expect(end == .closed)
    #expect(server.counters.requests == 1)
  }

  @Test("A reset ends the connection after the given number of bytes", arguments: [0, 1, 300])
  func resetComesAfterSoManyBytes(count: Int) throws {
    let (server, client) = try serve(.reset(after: count))
    #expect(try client.readHead().fields["content-length"] == "1000")
    let (bytes, end) = client.readToEnd()
    #expect(bytes == Array(body.prefix(count)))
    #expect(end == .reset)
    _ = server
  }

  @Test("A truncation closes the connection cleanly before the declared length", arguments: [0, 1, 999])
  func truncationIsACleanEndThatComesTooEarly(count: Int) throws {
    let (server, client) = try serve(.truncate(after: count))
    let head = try client.readHead()
    #expect(head.fields["content-length"] == "1000")
    #expect(head.fields["connection"] == nil)
    let (bytes, end) = client.readToEnd()
    #expect(bytes == Array(body.prefix(count)))
    #expect(end == .closed)
    _ = server
  }

  @Test("A stalled response sends nothing more and ends when the client leaves")
  func aStallSendsNothingMoreAndEndsWithTheClient() throws {
    let response = OriginResponse(body: .data(body), fault: .stall(after: 10))
    let server = try OriginServer(content: OriginContent(routes: [OriginRoute(path: "/f", response)]))
    let client = try Client(server.port)
    client.get("/f")
    #expect(try client.readHead().status == 200)
    #expect(try client.read(10) == Array(body.prefix(10)))
    client.giveUp(after: 1)
    #expect(client.readToEnd() == ([], .timedOut))
    #expect(server.counters.open == 1)
    client.shut()
    #expect(server.wait { $0.open == 0 })
  }

  @Test("A drip sends one byte per interval")
  func aDripSendsOneBytePerInterval() throws {
    // Start before the request, because this thread may read the head late, when the bytes have already arrived.
    let start = ContinuousClock.now
    let (server, client) = try serve(.drip(every: .milliseconds(10)), body: Data("abcde".utf8))
    #expect(try client.readHead().status == 200)
    #expect(try client.read(5) == Array("abcde".utf8))
    #expect(ContinuousClock.now - start > .milliseconds(30))
    client.get("/other")
    #expect(try client.readResponse().head.status == 404)
    #expect(server.counters.connections == 1)
  }

  @Test("The garbage fault sends bytes that are not a status line")
  func garbageIsNoStatusLine() throws {
    let (server, client) = try serve(.garbage)
    let (bytes, end) = client.readToEnd()
    #expect(!bytes.isEmpty)
    #expect(!bytes.starts(with: Array("HTTP/".utf8)))
    #expect(end == .closed)
    _ = server
  }

  @Test("A malformed chunk follows half of the body")
  func aMalformedChunkComesAfterHalfOfTheBody() throws {
    let (server, client) = try serve(.malformedChunk)
    let head = try client.readHead()
    #expect(head.fields["transfer-encoding"] == "chunked")
    #expect(head.fields["content-length"] == nil)
    #expect(try client.readLine() == "1f4")
    #expect(try client.read(500) == Array(body.prefix(500)))
    #expect(try client.readLine() == "")
    #expect(Int(try client.readLine(), radix: 16) == nil)
    #expect(client.readToEnd() == ([], .closed))
    _ = server
  }

  @Test("A response with a long header is otherwise valid")
  func aLongHeaderIsOtherwiseAProperResponse() throws {
    let (server, client) = try serve(.longHeader)
    let (head, received) = try client.readResponse()
    #expect(head.fields["x-long"]?.utf8.count == OriginFault.longHeaderLength)
    #expect(received == Array(body))
    client.get("/f")
    #expect(try client.readResponse().body == Array(body))
    #expect(server.counters.connections == 1)
  }

  @Test("A slow close delays the end of the body")
  func aSlowCloseEndsTheBodyLate() throws {
    let start = ContinuousClock.now
    let (server, client) = try serve(.slowClose)
    let head = try client.readHead()
    #expect(head.fields["content-length"] == nil)
    #expect(head.fields["connection"] == "close")
    #expect(try client.read(1000) == Array(body))
    #expect(client.readToEnd() == ([], .closed))
    #expect(ContinuousClock.now - start >= OriginFault.slowCloseDelay)
    _ = server
  }

  @Test(
    "A fault inside a chunk leaves the chunk incomplete",
    arguments: [OriginFault.truncate(after: 5), .reset(after: 5), .stall(after: 5)])
  func aFaultInsideAChunkLeavesItUnfinished(fault: OriginFault) throws {
    let response = OriginResponse(body: .text("0123456789"), chunked: true, chunkSize: 10, fault: fault)
    let server = try OriginServer(content: OriginContent(routes: [OriginRoute(path: "/f", response)]))
    let client = try Client(server.port)
    client.get("/f")
    _ = try client.readHead()
    #expect(try client.readLine() == "a")
    #expect(try client.read(5) == Array("01234".utf8))
    server.stop()
    #expect(client.readToEnd().bytes.isEmpty)
  }
}
