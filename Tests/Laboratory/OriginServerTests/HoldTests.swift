import OriginServer
import Scheduling
import TestMachine
import Testing

/// A server that holds its responses.
@Suite(.blocking, .timeLimit(.minutes(10))) struct HoldTests {
  private struct Held: Sendable {
    let path: OriginPath
    let latency: Duration
    let release: @Sendable () -> Void
  }

  @Test("The server sends a held response when it is released, and reports a client that leaves first")
  func holdsResponses() throws {
    let held = Locked<[Held]>([])
    let forgotten = Locked<[OriginPath]>([])
    let server = try OriginServer(holding: { path, latency, release in
      held.withLock { $0.append(Held(path: path, latency: latency, release: release)) }
      return { forgotten.withLock { $0.append(path) } }
    })
    server.replace(
      OriginContent(routes: [OriginRoute(path: "/slow", OriginResponse(body: .text("slow"), latency: .seconds(3600)))]))
    let slow = try Client(server.port), leaving = try Client(server.port)
    slow.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
    leaving.send("GET /other HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(server.wait { $0.requests == 2 })
    leaving.shut()
    #expect(server.wait { $0.open == 1 })
    #expect(forgotten.withLock { $0 } == ["/other"])
    let response = try #require(held.withLock { $0.first { $0.path == "/slow" } })
    #expect(response.latency == .seconds(3600))
    response.release()
    #expect(try slow.readHead().status == 200)
  }
}
