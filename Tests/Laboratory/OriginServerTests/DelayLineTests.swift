import Foundation
import TestMachine
import Testing

@testable import OriginServer

/// Delay lines with real sockets in front of a server.
@Suite(.blocking, .timeLimit(.minutes(10))) struct DelayLineTests {
  private func server(_ response: OriginResponse) throws -> OriginServer {
    try OriginServer(content: OriginContent(fallback: response))
  }

  @Test("A delay line forwards bodies unchanged, with or without a rate", arguments: [nil, 20_000_000])
  func unchanged(rate: Int?) throws {
    let server = try server(OriginResponse(body: .bytes(6_000_000)))
    let line = try DelayLine(to: server.port, roundTrip: .milliseconds(2), bytesPerSecond: rate)
    let client = try Client(line.port)
    for _ in 0..<2 {
      client.get("/")
      #expect(try client.readResponse().body == Array(OriginBody.pattern(6_000_000)))
    }
    #expect(server.counters.connections == 1)
  }

  @Test("A response takes at least one round trip, and two on a new connection") func atLeast() throws {
    let server = try server(OriginResponse(body: .bytes(10)))
    let line = try DelayLine(to: server.port, roundTrip: .milliseconds(30))
    let clock = ContinuousClock()
    let begin = clock.now
    let client = try Client(line.port)
    client.get("/")
    _ = try client.readResponse()
    let first = clock.now
    client.get("/")
    _ = try client.readResponse()
    #expect(first - begin >= .milliseconds(60))
    #expect(clock.now - first >= .milliseconds(30))
  }

  @Test("A body never arrives faster than the rate allows") func notFaster() throws {
    let server = try server(OriginResponse(body: .bytes(100_000)))
    let line = try DelayLine(to: server.port, roundTrip: .zero, bytesPerSecond: 1_000_000)
    let client = try Client(line.port)
    let begin = ContinuousClock.now
    client.get("/")
    _ = try client.readResponse()
    #expect(.now - begin >= .milliseconds(100))
  }

  @Test("A half close passes through the delay line in each direction") func halfClose() throws {
    let server = try server(OriginResponse(body: .bytes(100_000), sendsContentLength: false))
    let line = try DelayLine(to: server.port, roundTrip: .milliseconds(2))
    let client = try Client(line.port)
    client.get("/")
    let (bytes, end) = client.readToEnd()
    #expect(end == .closed)
    #expect(Array(bytes.suffix(100_000)) == Array(OriginBody.pattern(100_000)))
    client.shut()
    #expect(server.wait { $0.open == 0 })
  }

  @Test("A reset reaches the client after the bytes that precede it") func reset() throws {
    let server = try server(OriginResponse(body: .bytes(100_000), fault: .reset(after: 50_000)))
    let line = try DelayLine(to: server.port, roundTrip: .milliseconds(2), bytesPerSecond: 10_000_000)
    let client = try Client(line.port)
    client.get("/")
    let (bytes, end) = client.readToEnd()
    #expect(end == .reset)
    #expect(bytes.count > 50_000 && bytes.count < 51_000)
  }

  @Test("A client that disconnects in the middle of a body ends the server's connection") func goneClient() throws {
    let server = try server(OriginResponse(body: .bytes(50_000_000)))
    let line = try DelayLine(to: server.port, roundTrip: .milliseconds(2))
    for _ in 0..<10 {
      let client = try Client(line.port)
      client.get("/")
      _ = try client.read(1000)
      client.shut()
    }
    #expect(server.wait { $0.connections == 10 && $0.open == 0 })
  }

  @Test("A client that does not read limits what the server sends") func backPressure() throws {
    let server = try server(OriginResponse(body: .bytes(400_000_000)))
    let line = try DelayLine(to: server.port, roundTrip: .milliseconds(2))
    let client = try Client(line.port)
    client.get("/")
    _ = try client.read(1000)
    // The other connection proves that the server still runs. The body has stopped if its byte count does not change
    // during such an exchange.
    let other = try Client(line.port)
    var sent = (last: 0, now: server.counters.bytesSentByPath["/", default: 0])
    while sent.now != sent.last {
      for _ in 0..<5 {
        other.send("HEAD /other HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try other.readHead()
      }
      sent = (sent.now, server.counters.bytesSentByPath["/", default: 0])
    }
    #expect(sent.now < 100_000_000)
  }

  @Test("The client sees a reset if the server refuses the connection") func refused() throws {
    let server = try server(OriginResponse())
    let line = try DelayLine(to: server.port, roundTrip: .milliseconds(2))
    server.stop()
    let client = try Client(line.port)
    client.get("/")
    #expect(client.readToEnd().end == .reset)
  }

  @Test("After a stop, the port refuses connections and no connection stays open", arguments: 0..<5)
  func stop(round: Int) throws {
    let server = try server(OriginResponse(body: .bytes(50_000_000)))
    let line = try DelayLine(to: server.port, roundTrip: .milliseconds(round))
    let clients = try (0..<5).map { _ in try Client(line.port) }
    for client in clients { client.get("/") }
    if round > 0 { _ = try clients[0].read(1000) }
    line.stop()
    line.stop()
    #expect(throws: Client.Failure.self) { try Client(line.port) }
    #expect(server.wait { $0.open == 0 })
  }
}
