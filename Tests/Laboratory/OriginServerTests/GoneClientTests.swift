import Foundation
import OriginServer
import TestMachine
import Testing

/// Clients that send more than the server reads, and then disconnect.
@Suite(.blocking, .timeLimit(.minutes(10))) struct GoneClientTests {
  @Test("A client that floods the server with empty lines leaves no connection behind")
  func emptyLines() throws {
    let server = try OriginServer(content: OriginContent())
    let client = try Client(server.port)
    client.send(String(repeating: "\r\n", count: 30_000))
    client.shut()
    #expect(server.wait { $0.connections == 1 && $0.open == 0 })
  }

  @Test(
    "The server closes the connection of a client that leaves with queued requests",
    arguments: [
      OriginResponse(body: .bytes(10), fault: .stall(after: 1)), OriginResponse(latency: .seconds(3600)),
      OriginResponse(body: .bytes(10), fault: .drip(every: .seconds(3600))),
      OriginResponse(body: .bytes(10_000_000), bytesPerSecond: 1),
    ])
  func pipelined(response: OriginResponse) throws {
    let server = try OriginServer(content: OriginContent(fallback: response))
    let client = try Client(server.port)
    client.send(String(repeating: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 5_000))
    client.shut()
    #expect(server.wait { $0.connections == 1 && $0.open == 0 })
  }

  @Test("The server disconnects a client that floods it with requests behind a pending response")
  func flood() throws {
    let server = try OriginServer(content: OriginContent(fallback: OriginResponse(latency: .seconds(3600))))
    let client = try Client(server.port)
    client.send(String(repeating: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 200_000))
    #expect(server.wait { $0.connections == 1 && $0.open == 0 })
  }

  @Test("The server answers a thousand requests that are queued behind a slow response")
  func held() throws {
    let responses = [OriginResponse(latency: .milliseconds(100)), OriginResponse()]
    let route = OriginRoute(path: "/", responses: responses)
    let server = try OriginServer(content: OriginContent(routes: [route]))
    let client = try Client(server.port)
    client.send(String(repeating: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 1000))
    for _ in 0..<1000 { #expect(try client.readHead().status == 200) }
  }
}
