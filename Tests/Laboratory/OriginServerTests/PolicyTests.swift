import Dispatch
import HTTPWire
import TestMachine
import Testing

@testable import OriginServer

@Suite(.blocking, .timeLimit(.minutes(10))) struct PolicyTests {
  /// Long enough for a client to connect and send a request, even on a busy machine.
  private static let silence = Duration.milliseconds(500)

  private func serve(_ policy: OriginPolicy, _ fallback: OriginResponse = .notFound) throws -> (OriginServer, Client) {
    let server = try OriginServer(content: OriginContent(fallback: fallback), policy: policy)
    return (server, try Client(server.port))
  }

  @Test(
    "A request head that does not end in time gets status 408",
    arguments: ["GET / HTTP/1.1\r\nHost: loc", "\r", "\r\n\r\n"])
  func slowHead(start: String) throws {
    let (server, client) = try serve(OriginPolicy(headTimeout: .milliseconds(50)))
    for _ in 0..<2 {
      client.get("/")
      #expect(try client.readResponse().head.status == 404)
    }
    client.send(start)
    #expect(try client.readResponse().head.status == 408)
    #expect(client.readToEnd() == ([], .closed))
    #expect(server.counters.malformed == 1)
    #expect(server.wait { $0.open == 0 })
  }

  @Test("Sending the head byte by byte does not extend its time limit")
  func drippingHead() throws {
    let (server, client) = try serve(OriginPolicy(headTimeout: .milliseconds(50)))
    // More bytes than the server could receive one by one within the limit.
    client.send("GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
    var sent = 0
    while server.counters.malformed == 0, sent < 30_000 {
      client.send("x")
      sent += 1
    }
    #expect(sent < 30_000 || server.wait { $0.malformed == 1 })
    #expect(server.wait { $0.open == 0 })
  }

  @Test("A pipelined head gets the head timeout, and the idle timeout applies after its response")
  func headBehindAnother() throws {
    let (server, client) = try serve(OriginPolicy(headTimeout: .seconds(3600), idleTimeout: Self.silence))
    client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\n")
    #expect(try client.readResponse().head.status == 404)
    client.send("Host: localhost\r\n\r\n")
    #expect(try client.readResponse().head.status == 404)
    #expect(client.readToEnd() == ([], .closed))
    #expect(server.counters.requests == 2)
  }

  @Test("The server closes an idle connection without a response, whether it is new or used", arguments: [0, 2])
  func idle(requests: Int) throws {
    let (server, client) = try serve(OriginPolicy(idleTimeout: Self.silence))
    for _ in 0..<requests {
      client.get("/")
      #expect(try client.readResponse().head.status == 404)
    }
    #expect(client.readToEnd() == ([], .closed))
    #expect(server.wait { $0.open == 0 })
    #expect(server.counters.malformed == 0)
  }

  @Test("A busy server does not mistake a waiting request for an idle connection")
  func busyServer() throws {
    // The check below must read the clock before the limit has passed, also on a busy machine.
    let policy = OriginPolicy(idleTimeout: .seconds(1))
    let loop = EventLoop(number: 0, core: ServerCore(content: OriginContent(), policy: policy), open: DispatchGroup())
    let listening = try ListeningSocket(port: 0)
    defer { System.closeListener(listening.descriptor) }
    let client = try Client(listening.port)
    loop.add(try #require(System.acceptConnection(listening.descriptor)))
    client.get("/")
    #expect(try client.readResponse().head.status == 404)
    let (isBusy, isFree) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    loop.queue.async {
      isBusy.signal()
      isFree.wait()
    }
    isBusy.wait()
    // The queue runs this check only after the request and after the limit.
    loop.endLateConnections()
    client.get("/")
    // This connection starts later, so its end proves that the limit of the first one has passed, too.
    let (server, later) = try serve(policy)
    #expect(later.readToEnd() == ([], .closed))
    server.stop()
    isFree.signal()
    #expect(try client.readResponse().head.status == 404)
    loop.stop()
    loop.open.wait()
  }

  @Test("A body that stops arriving gets status 408")
  func slowBody() throws {
    let (server, client) = try serve(OriginPolicy(headTimeout: .seconds(3600), idleTimeout: Self.silence))
    client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf")
    #expect(try client.readResponse().head.status == 408)
    #expect(client.readToEnd() == ([], .closed))
    #expect(server.counters.bytesReceived == 4)
  }

  @Test("The server disconnects a client that does not read its response")
  func unreadAnswer() throws {
    let policy = OriginPolicy(headTimeout: .seconds(3600), idleTimeout: Self.silence)
    let (server, client) = try serve(policy, OriginResponse(body: .bytes(1_000_000_000)))
    client.get("/")
    #expect(server.wait { $0.connections == 1 && $0.open == 0 })
    #expect(client.readToEnd().end == .reset)
  }

  @Test("A response may take longer than the time limits for the client")
  func slowAnswer() throws {
    let policy = OriginPolicy(headTimeout: Self.silence, idleTimeout: Self.silence)
    let routes = [
      OriginRoute(path: "/late", OriginResponse(body: .text("late"), latency: Self.silence * 3)),
      OriginRoute(path: "/slow", OriginResponse(body: .text("slow"), fault: .drip(every: Self.silence / 2))),
    ]
    let server = try OriginServer(content: OriginContent(routes: routes), policy: policy)
    for route in routes {
      let client = try Client(server.port)
      client.get(route.path)
      #expect(String(decoding: try client.readResponse().body, as: UTF8.self) == String(route.path.dropFirst()))
    }
  }

  @Test("A policy can allow further host names")
  func hostNames() throws {
    let (server, other) = try serve(OriginPolicy(hostNames: ["Lab.test", "[fe80::1]"]))
    for host in ["lab.TEST:80", "[FE80::1]:8080", "localhost"] {
      other.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(try other.readResponse().head.status == 404)
    }
    other.send("GET / HTTP/1.1\r\nHost: evil.lab.test\r\n\r\n")
    let (head, body) = try other.readResponse()
    #expect(head.status == 421)
    #expect(String(decoding: body, as: UTF8.self).contains("localhost, 127.0.0.0/8, [::1], Lab.test and [fe80::1]"))
    #expect(server.counters.requests == 3)
  }
}
