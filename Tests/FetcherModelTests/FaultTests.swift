import FetcherModel
import Foundation
import OriginServer
import Testing

/// One way for a fetch to go wrong, and what the strategies make of it.
struct FaultCase: Sendable, CustomTestStringConvertible {
  let name: String
  var path = "/x"
  var response = OriginResponse()
  /// What the strategies that see the answer report; nil stands for a picture.
  let expected: [FetchError]
  /// What the blocking strategy reports, which knows no status.
  let blocking: [FetchError]
  var limits = FetchLimits(deadline: .seconds(20))

  var testDescription: String { name }

  private static let png = Sample.png.bytes
  private static let brief = FetchLimits(deadline: .milliseconds(500))

  static let all: [FaultCase] = [
    status(404), status(500), status(301, blocking: .emptyBody),
    // A blocking read cannot answer the challenge, and hangs; only the deadline ends it.
    status(401, [("WWW-Authenticate", "Basic realm=\"x\"")], blocking: .timedOut, limits: brief),
    FaultCase(
      name: "404 with a picture", response: OriginResponse(status: 404, body: .data(png)), expected: [.badStatus(404)],
      blocking: [.transport(256)]),
    FaultCase(name: "204", response: OriginResponse(status: 204), expected: [.emptyBody], blocking: [.emptyBody]),
    FaultCase(name: "empty 200", expected: [.emptyBody], blocking: [.emptyBody]),
    FaultCase(
      name: "HTML as image/jpeg",
      response: OriginResponse(headers: [("Content-Type", "image/jpeg")], body: .text("<html></html>")),
      expected: [.notAnImage], blocking: [.notAnImage]),
    FaultCase(
      name: "truncated PNG", response: OriginResponse(body: .data(png.dropLast(4))), expected: [.truncated],
      blocking: [.truncated]),
    FaultCase(
      name: "truncated JPEG", response: OriginResponse(body: .data(Sample.jpeg.bytes.dropLast(2))),
      expected: [.truncated], blocking: [.truncated]),
    FaultCase(
      name: "closed before headers", response: OriginResponse(fault: .closeBeforeHeaders),
      expected: [.transport(-1011), .transport(-1005), .transport(-1)], blocking: [.transport(256)]),
    FaultCase(
      name: "body cut short", response: OriginResponse(body: .bytes(100_000), fault: .truncate(after: 5000)),
      expected: [.truncated], blocking: [.transport(256)]),
    FaultCase(
      name: "reset in the body", response: OriginResponse(body: .bytes(100_000), fault: .reset(after: 5000)),
      expected: [.truncated, .transport(-1), .transport(-1005), .transport(-1011)], blocking: [.transport(256)]),
    FaultCase(
      name: "broken status line", response: OriginResponse(fault: .garbage),
      expected: [.transport(-1), .transport(-1011), .transport(-1005), .transport(-1002)],
      blocking: [.transport(256), .emptyBody]),
    FaultCase(
      name: "stall", response: OriginResponse(body: .data(png), fault: .stall(after: 10)), expected: [.timedOut],
      blocking: [.timedOut], limits: brief),
    FaultCase(
      name: "one byte per interval",
      response: OriginResponse(body: .data(png), fault: .drip(every: .milliseconds(50))), expected: [.timedOut],
      blocking: [.timedOut], limits: brief),
    FaultCase(
      name: "larger than the limit", response: OriginResponse(body: .bytes(200_000)), expected: [.tooLarge],
      blocking: [.tooLarge], limits: FetchLimits(maximumBytes: 100_000)),
    FaultCase(
      name: "larger than the limit, unannounced", response: OriginResponse(body: .bytes(200_000), chunked: true),
      expected: [.tooLarge], blocking: [.tooLarge], limits: FetchLimits(maximumBytes: 100_000)),
    FaultCase(
      name: "redirect loop", response: OriginResponse(status: 302, headers: [("Location", "/x")]),
      expected: [.transport(-1007)], blocking: [.transport(256)]),
    FaultCase(
      name: "redirect to a file", response: OriginResponse(status: 302, headers: [("Location", "file:///etc/passwd")]),
      expected: [.blockedByTransportPolicy], blocking: [.transport(256)]),
    FaultCase(
      name: "redirect to plain http elsewhere",
      response: OriginResponse(status: 302, headers: [("Location", "http://nowhere.invalid/a.png")]),
      expected: [.blockedByTransportPolicy], blocking: [.transport(256)]),
  ]

  static let wellEnds: [(String, OriginResponse)] = [
    ("chunked", OriginResponse(body: .data(png), chunked: true, chunkSize: 7)),
    ("no Content-Length", OriginResponse(body: .data(png), sendsContentLength: false)),
    ("wrong Content-Type", OriginResponse(headers: [("Content-Type", "text/html")], body: .data(png))),
    ("redirect", OriginResponse(status: 302, headers: [("Location", "/a.png")])),
  ]

  private static func status(
    _ status: Int, _ headers: [(String, String)] = [], blocking: FetchError = .transport(256),
    limits: FetchLimits = FetchLimits()
  ) -> FaultCase {
    FaultCase(
      name: "\(status)", response: OriginResponse(status: status, headers: headers, body: .text("<html>no</html>")),
      expected: [.badStatus(status)], blocking: [blocking], limits: limits)
  }
}

extension NetworkSuite {
  @Suite struct FaultTests {
    @Test(arguments: Laboratory.strategies, FaultCase.all)
    func aFaultIsOneErrorAndTheNextReadTriesAgain(strategy: String, fault: FaultCase) async throws {
      let laboratory = try Laboratory(strategy, [OriginRoute(path: "/x", fault.response)], limits: fault.limits)
      let (failed, recorder) = await laboratory.fetch("/x")
      let expected = strategy == "blocking" ? fault.blocking : fault.expected
      let error = recorder.last?.error
      #expect(expected.contains { $0 == error }, "got \(String(describing: error))")
      #expect(recorder.kinds == ["started", "failed"])
      #expect(recorder.last?.isFetching == false)
      #expect(!failed.isFetching)
      laboratory.origin.replace(
        OriginContent(routes: [OriginRoute(path: "/x", OriginResponse(body: .data(Sample.png.bytes)))]))
      #expect(failed.image.isPlaceholder)
      await recorder.ended(2)
      #expect(recorder.kinds == ["started", "failed", "started", "fetched"], "\(String(describing: recorder.last))")
    }

    @Test(arguments: Laboratory.strategies, FaultCase.wellEnds.map(\.0))
    func anUnusualAnswerIsStillAPicture(strategy: String, name: String) async throws {
      let response = try #require(FaultCase.wellEnds.first { $0.0 == name }?.1)
      let laboratory = try Laboratory(strategy, [OriginRoute(path: "/x", response)])
      let (image, events) = await laboratory.fetch("/x")
      #expect(image.state == .loaded(try Picture(validating: Sample.png.bytes)), "\(String(describing: events.last))")
    }

    @Test(arguments: Laboratory.strategies)
    func aRefusedConnectionIsATransportError(strategy: String) async throws {
      let laboratory = try Laboratory(strategy)
      laboratory.origin.stop()
      let (image, _) = await laboratory.fetch()
      #expect(image.state == .failed(.transport(strategy == "blocking" ? 256 : -1004)))
    }

    @Test(arguments: Laboratory.strategies)
    func aNameThatDoesNotExistIsATransportError(strategy: String) async throws {
      let laboratory = try Laboratory(strategy, policy: TransportPolicy(allowsArbitraryLoads: true))
      let image = IFImage("x", "http://nowhere.invalid/a.png", in: laboratory.environment)
      let events = EventRecorder(image, in: laboratory.environment)
      _ = image.image
      await events.ended()
      guard case .failed(.transport) = image.state else {
        Issue.record("\(image.state)")
        return
      }
    }
  }
}
