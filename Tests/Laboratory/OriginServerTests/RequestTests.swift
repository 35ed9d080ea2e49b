import Foundation
import OriginServer
import TestMachine
import Testing

@Suite(.blocking, .timeLimit(.minutes(10))) struct RequestTests {
  let server: OriginServer

  init() throws {
    server = try OriginServer(
      content: OriginContent(routes: [
        OriginRoute(path: "/hello", OriginResponse(headers: [("Content-Type", "text/plain")], body: .text("hello"))),
        OriginRoute(path: "/a b", OriginResponse(body: .text("blank"))),
        OriginRoute(path: "/q?x=1", OriginResponse(body: .text("query"))),
      ]))
  }

  private func answer(to request: String) throws -> (status: Int, end: Client.End) {
    let client = try Client(server.port)
    client.send(request)
    let status = try client.readResponse().head.status
    return (status, client.readToEnd().end)
  }

  @Test("The server rejects a malformed request and closes the connection", arguments: improperRequests)
  func anImproperRequestIsRefusedAndEndsTheConnection(request: ImproperRequest) throws {
    #expect(try answer(to: request.text) == (request.status, .closed))
    #expect(server.counters.malformed == 1)
    #expect(server.counters.requests == 0)
  }

  @Test("An unknown method gets status 501, and the connection stays usable")
  func anUnknownMethodIsNotImplemented() throws {
    let client = try Client(server.port)
    client.send("BREW /hello HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try client.readResponse().head.status == 501)
    client.get("/hello")
    #expect(try client.readResponse().head.status == 200)
  }

  @Test("A route without a query matches only the decoded path of a target")
  func aRouteWithoutAQueryIsFoundByItsDecodedPathAlone() throws {
    let route = OriginRoute(path: "/a%20b", OriginResponse())
    server.replace(OriginContent(routes: [route]))
    let client = try Client(server.port)
    let statuses = try ["/a%20b", "/a%2520b", "/a%2520b?x"].map { target in
      client.get(target)
      return try client.readResponse().head.status
    }
    #expect(statuses == [404, 200, 200])
  }

  @Test("A hundred requests share one connection")
  func aHundredRequestsShareOneConnection() throws {
    let client = try Client(server.port)
    for _ in 0..<100 {
      client.get("/hello")
      #expect(try client.readResponse().body == Array("hello".utf8))
    }
    let counters = server.counters
    #expect(counters.connections == 1)
    #expect(counters.open == 1)
    #expect(counters.requests == 100)
    #expect(counters.requestsByPath == ["/hello": 100])
  }

  @Test(
    "The counters report every route, and the memory for other paths is bounded",
    arguments: LongTests.some(of: [(200, 7000), (11_000, 1)], every: 2))
  func otherPaths(count: Int, length: Int) throws {
    let client = try Client(server.port)
    let padding = String(repeating: "x", count: length)
    for number in 0..<count {
      client.get("/\(number)\(padding)")
      #expect(try client.readResponse().head.status == 404)
    }
    for target in ["/hello", "/q?x=1"] {
      client.get(target)
      #expect(try client.readResponse().head.status == 200)
    }
    let counters = server.counters
    #expect(counters.requests == count + 2)
    #expect((counters.requestsByPath["/hello"], counters.requestsByPath["/q"]) == (1, 1))
    #expect((counters.bytesSentByPath["/hello"] ?? 0, counters.bytesSentByPath["/q"] ?? 0) > (0, 0))
    #expect(counters.requestsByPath[OriginPath("/0\(padding)")] == 1)
    for paths in [Array(counters.requestsByPath.keys), Array(counters.bytesSentByPath.keys)] {
      #expect(paths.count < 10_000)
      #expect(paths.reduce(0) { $0 + $1.text.utf8.count } < 2_000_000)
    }
    server.resetCounters()
    client.get("/new")
    _ = try client.readResponse()
    #expect(server.counters.requestsByPath == ["/new": 1])
  }

  @Test("The response matches the expected bytes exactly")
  func theResponseIsTheSameByteForByte() throws {
    let client = try Client(server.port)
    client.get("/hello", "Connection: close\r\n")
    let (bytes, end) = client.readToEnd()
    let expected =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
    #expect(end == .closed)
    #expect(server.counters.bytesSent == expected.utf8.count)
  }

  @Test("Pipelined requests are answered in order")
  func pipelinedRequestsAreAnsweredInOrder() throws {
    let client = try Client(server.port)
    let request = "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let post = "POST /missing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody"
    client.send(String(repeating: request + post, count: 500))
    for _ in 0..<500 {
      #expect(try client.readResponse().head.status == 200)
      #expect(try client.readResponse().head.status == 404)
    }
    #expect(server.counters.requests == 1000)
    #expect(server.counters.bytesReceived == 2000)
  }

  @Test("A request may arrive byte by byte")
  func aRequestMayComeByteByByte() throws {
    let client = try Client(server.port)
    for byte in "\r\nGET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8 { client.send([byte]) }
    #expect(try client.readResponse().head.status == 200)
  }

  @Test("A response to HEAD has the length but no body")
  func headHasTheLengthButNoBody() throws {
    let client = try Client(server.port)
    client.send("HEAD /hello HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try client.readHead().fields["content-length"] == "5")
    client.get("/hello")
    #expect(try client.readResponse().head.status == 200)
  }

  @Test("The server reads a POST body to its end before it responds")
  func aPostIsReadToItsEndBeforeTheAnswer() throws {
    let client = try Client(server.port)
    let body = [UInt8](repeating: 7, count: 3_000_000)
    client.send(
      "POST /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\nExpect: 100-continue\r\n\r\n")
    #expect(try client.readHead().status == 100)
    client.send(body)
    #expect(try client.readResponse().head.status == 200)
    #expect(server.counters.bytesReceived == body.count)
  }

  @Test("The server closes the connection of an HTTP/1.0 client unless it asks for keep-alive")
  func oldClientsGetTheirConnectionClosedUnlessTheyAsk() throws {
    #expect(try answer(to: "GET /hello HTTP/1.0\r\n\r\n") == (200, .closed))
    let client = try Client(server.port)
    client.send("GET /hello HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
    #expect(try client.readResponse().head.fields["connection"] == "keep-alive")
    client.get("/hello")
    #expect(try client.readResponse().head.status == 200)
  }

  @Test(
    "A target with an escape, a query, or an absolute URL finds its route",
    arguments: [
      ("/a%20b", "blank"), ("/hello?any=thing", "hello"), ("/q?x=1", "query"), ("http://LocalHost:80/hello", "hello"),
    ])
  func aTargetFindsItsRoute(target: String, body: String) throws {
    let client = try Client(server.port)
    client.get(target)
    #expect(try client.readResponse().body == Array(body.utf8))
  }
}

/// A malformed request and the status of the response that rejects it.
struct ImproperRequest: Sendable, CustomTestStringConvertible {
  let text: String
  let status: Int

  /// Shortened, because some requests are very long.
  var testDescription: String { "\(String(reflecting: String(text.prefix(70)))) (\(text.utf8.count) bytes)" }
}

private let improperRequests: [ImproperRequest] = [
  ("nonsense\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400),
  ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\nHost: x\n\n", 400), ("\u{16}\u{3}\u{1}", 400),
  ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: y\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400),
  ("GET / HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n", 400),
  ("GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n", 400),
  ("GET / HTTP/1.1\r\nHost: localhost\r\nA: \u{0}\r\n\r\n", 400), ("GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
  ("GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("GET hello HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
  ("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", 505), ("GET / HTTP/x.y\r\nHost: localhost\r\n\r\n", 400),
  ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
  ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
  ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413),
  ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999\r\n\r\n", 413),
  ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
  ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n", 400),
  ("GET / HTTP/1.1\r\nHost: localhost\r\nExpect: the-best\r\n\r\n", 417),
  ("GET /" + String(repeating: "a", count: 9000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
  (String(repeating: "a", count: 9000), 414),
  ("GET / HTTP/1.1\r\nHost: localhost\r\nA: " + String(repeating: "a", count: 40000) + "\r\n\r\n", 431),
  ("GET / HTTP/1.1\r\nHost: localhost\r\n" + String(repeating: "A: b\r\n", count: 101) + "\r\n", 431),
].map { ImproperRequest(text: $0.0, status: $0.1) }
