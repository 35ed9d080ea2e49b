import Dispatch
import Foundation
import Scheduling
import TestMachine
import Testing

@testable import OriginServer

/// The connections of an event loop take turns.
@Suite(.blocking, .timeLimit(.minutes(10))) struct TurnTests {
  /// The maximum number of event loops. If a client opens `loops` connections, every event loop gets at least one.
  private static let loops = 4

  /// The paths of the requests in the order in which the server computed their responses.
  private let order = Locked<[String]>([])
  private let entered = DispatchSemaphore(value: 0)
  private let gate = DispatchSemaphore(value: 0)

  private func route(_ path: String, isSlow: Bool = false, waits: Bool = false) -> OriginRoute {
    OriginRoute(path: path, isSlow: isSlow) { [order, entered, gate] _, _ in
      if waits {
        entered.signal()
        gate.wait()
      }
      order.withLock { $0.append(path) }
      return OriginResponse(body: .text(path))
    }
  }

  /// Returns after Dispatch has reported all earlier bytes to the queues of their connections.
  private func waitForReports() {
    let pipe = Pipe()
    let queue = DispatchQueue(label: "reports")
    let source = DispatchSource.makeReadSource(
      fileDescriptor: pipe.fileHandleForReading.fileDescriptor, queue: queue)
    let (reported, cancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    source.setEventHandler { reported.signal() }
    source.setCancelHandler { cancelled.signal() }
    source.activate()
    pipe.fileHandleForWriting.write(Data([0]))
    reported.wait()
    source.cancel()
    cancelled.wait()
  }

  @Test("The server serves waiting clients between the pipelined requests of another client")
  func pipelining() throws {
    // If connections are limited, one event loop serves all of them.
    var policy = OriginPolicy()
    policy.connections = 10
    let server = try OriginServer(
      content: OriginContent(routes: [route("/gate", waits: true), route("/flood"), route("/other")]),
      policy: policy)
    let (client, other) = (try Client(server.port), try Client(server.port))
    for client in [client, other] {
      client.get("/other")
      _ = try client.readResponse()
    }
    order.withLock { $0 = [] }
    client.get("/gate")
    entered.wait()
    client.send(String(repeating: "GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 1000))
    other.get("/other")
    waitForReports()
    gate.signal()
    _ = try other.readResponse()
    for _ in 0...1000 { _ = try client.readResponse() }
    let order = order.withLock { $0 }
    let served = try #require(order.firstIndex(of: "/other"))
    #expect(order[..<served].count { $0 == "/flood" } < 20)
  }

  @Test("A slow route delays only later requests of its connection")
  func slow() throws {
    let server = try OriginServer(
      content: OriginContent(routes: [route("/slow", isSlow: true, waits: true), route("/other")]))
    let (client, others) = (try Client(server.port), try (0..<Self.loops).map { _ in try Client(server.port) })
    client.get("/slow")
    client.get("/other")
    entered.wait()
    for other in others {
      other.get("/other")
      #expect(try other.readResponse().head.status == 200)
    }
    gate.signal()
    #expect(try client.readResponse().body == Array("/slow".utf8))
    #expect(try client.readResponse().body == Array("/other".utf8))
    #expect(order.withLock { $0 } == Array(repeating: "/other", count: Self.loops) + ["/slow", "/other"])
  }

  @Test("A slow response is not computed for a client that has left")
  func left() throws {
    let server = try OriginServer(content: OriginContent(routes: [route("/slow", isSlow: true, waits: true)]))
    let (client, leaver) = (try Client(server.port), try Client(server.port))
    client.get("/slow")
    entered.wait()
    leaver.get("/slow")
    #expect(server.wait { $0.requests == 2 })
    leaver.shut()
    #expect(server.wait { $0.open == 1 })
    for _ in 0..<3 { gate.signal() }
    for _ in 0..<2 {
      #expect(try client.readResponse().head.status == 200)
      client.get("/slow")
    }
    #expect(try client.readResponse().head.status == 200)
    #expect(order.withLock { $0.count } == 3)
  }
}
