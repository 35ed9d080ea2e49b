import Foundation
import OriginServer
import TestMachine
import Testing

@Suite("The example in the overview of the origin", .blocking) struct OverviewExample {
  @Test("An origin follows its script in order, counts the requests, and accepts a new script") func script() throws {
    // snippet
    let route = OriginRoute(
      path: "/a.png",
      responses: [
        OriginResponse(status: 503, headers: [("Retry-After", "1")]),
        OriginResponse(body: .bytes(10_000), fault: .truncate(after: 5_000)),
        OriginResponse(body: .bytes(10_000), latency: .milliseconds(20)),
      ])
    let origin = try OriginServer(content: OriginContent(routes: [route]))
    defer { origin.stop() }
    let address = origin.baseURL.appending(path: "a.png")
    // end
    let lengths = try (0..<3).map { _ in
      let client = try Client(origin.port)
      client.get(address.path, "Connection: close\r\n")
      return client.readToEnd().bytes.count
    }
    #expect(lengths[0] < 1000)
    #expect((5000..<10_000).contains(lengths[1]))
    #expect(lengths[2] > 10_000)
    // snippet
    #expect(origin.counters.requestsByPath["/a.png"] == 3)
    #expect(origin.counters.connections <= 3)
    // end
    // snippet
    origin.replace(OriginContent(fallback: OriginResponse(status: 404)))
    // end
    let client = try Client(origin.port)
    client.get(address.path)
    #expect(try client.readResponse().head.status == 404)
    try throughDelayLine(origin)
  }

  private func throughDelayLine(_ origin: OriginServer) throws {
    // snippet
    let line = try DelayLine(to: origin.port, roundTrip: .milliseconds(40), bytesPerSecond: 1_250_000)
    defer { line.stop() }
    let address = "http://127.0.0.1:\(line.port)/a.png"
    // end
    let client = try Client(line.port)
    client.get(String(address.suffix(6)))
    #expect(try client.readResponse().head.status == 404)
  }
}
