import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import Testing

extension NetworkSuite {
  /// A complete picture is used even if its response fails after the head.
  @Suite struct WholePictureTests {
    /// The strategies that keep the head and the bytes of a failed response.
    private static let holding: [StrategyName] = ["dataTask", "async", "socket"]
    private static let retrying = FetchLimits(
      deadline: FetchLimits.longDeadline, retries: 4, retryDelay: .milliseconds(1))

    /// Fetches one response. Returns the final state and the number of requests.
    private func fetch(
      _ response: OriginResponse, _ strategy: StrategyName
    ) async throws -> (state: ImageState, requests: Int?) {
      let workbench = try Workbench(strategy, [OriginRoute(path: "/x", response)], limits: Self.retrying)
      let image = await workbench.fetch("/x").image
      return (image.state, workbench.origin.counters.requestsByPath["/x"])
    }

    private func bytes(_ state: ImageState) -> Data? {
      if case .loaded(let picture) = state { picture.bytes } else { nil }
    }

    @Test(
      "A fetch loads a complete picture even if the connection ends before the rest of the body", arguments: holding,
      [Sample.png.bytes, large, Sample.jpeg.bytes, Sample.gif.bytes, Sample.lossyWebP.bytes])
    func unfinished(strategy: StrategyName, picture: Data) async throws {
      let rest = Data(repeating: 0, count: 1000)
      // A reset discards bytes that the client has not received, so a large picture would be cut.
      let isSmall = picture.count < 10_000
      for fault in [.truncate(after: picture.count)] + (isSmall ? [OriginFault.reset(after: picture.count)] : []) {
        let end = try await fetch(OriginResponse(body: .data(picture + rest), fault: fault), strategy)
        #expect(bytes(end.state) == picture)
        #expect(end.requests == 1)
      }
    }

    @Test("A bad status fails the fetch even if the body contains a complete picture", arguments: holding)
    func badStatus(strategy: StrategyName) async throws {
      let picture = Sample.png.bytes
      let response = OriginResponse(
        status: 404, body: .data(picture + Data(repeating: 0, count: 9)), fault: .truncate(after: picture.count))
      #expect(try await fetch(response, strategy).state == .failed(.badStatus(404)))
    }

    @Test(
      "A strategy ignores an unknown content encoding or fails without a retry", arguments: Workbench.strategies,
      ["utf-8", "aws-chunked"])
    func unknownEncoding(strategy: StrategyName, encoding: String) async throws {
      let response = OriginResponse(headers: [("Content-Encoding", encoding)], body: .data(Sample.png.bytes))
      let end = try await fetch(response, strategy)
      #expect(end.requests == 1)
      switch strategy {
      case "socket": #expect(bytes(end.state) == Sample.png.bytes)
      case "blocking": #expect(end.state == .failed(.transport(256)))
      case "downloadTask": #expect(end.state == .failed(.undecodable(encoding: nil)))
      default:
        #expect(end.state == .failed(.undecodable(encoding: encoding)))
        #expect(FetchError.undecodable(encoding: encoding).description.contains("“\(encoding)”"))
      }
    }

    @Test("A compressed picture with trailing bytes is fetched only once", arguments: Workbench.seeing)
    func trailingBytes(strategy: StrategyName) async throws {
      let packed = gzip(Sample.png.bytes) + Data(repeating: 0, count: 40_000)
      let response = OriginResponse(headers: [("Content-Encoding", "gzip")], body: .data(packed))
      let end = try await fetch(response, strategy)
      #expect(end.requests == 1)
      switch strategy {
      case "socket": #expect(end.state == .failed(.undecodable(encoding: "gzip")))
      case "downloadTask": #expect(end.state == .failed(.undecodable(encoding: nil)))
      default: #expect(bytes(end.state) == Sample.png.bytes)
      }
    }

    @Test(
      "A strategy ignores a content encoding that changes nothing", arguments: Workbench.strategies,
      [["identity, identity"], [""], ["IDENTITY", "identity"], [", identity"]])
    func identity(strategy: StrategyName, fields: [String]) async throws {
      let response = OriginResponse(
        headers: fields.map { ("Content-Encoding", $0) }, body: .data(Sample.png.bytes))
      #expect(bytes(try await fetch(response, strategy).state) == Sample.png.bytes)
    }

    @Test("A strategy reads the content encoding from a second Content-Encoding field", arguments: Workbench.strategies)
    func secondField(strategy: StrategyName) async throws {
      let response = OriginResponse(
        headers: [("Content-Encoding", "identity"), ("Content-Encoding", "gzip")],
        body: .data(gzip(Sample.png.bytes)))
      let end = try await fetch(response, strategy)
      if strategy == "socket" {
        #expect(end.state == .failed(.undecodable(encoding: "gzip")))
      } else {
        #expect(bytes(end.state) == Sample.png.bytes)
      }
    }
  }
}

/// The advice that an error gives to the user must agree with the model's decision to retry.
@Suite struct AdviceTests {
  @Test("An error advises trying again if and only if a retry is worthwhile")
  func agreement() {
    // For these errors, a retry helps only after the user has followed the advice.
    let waiting: Set<FetchError> = [.transport(-1003), .transport(-1004)]
    let errors =
      (100..<1000).map(FetchError.badStatus) + (-3010...256).map { FetchError.transport(NetworkError(code: $0)) }
      + [.truncated, .timedOut, .undecodable(encoding: "utf-8"), .undecodable(encoding: nil), .notAnImage, .tooLarge]
    for error in errors where !waiting.contains(error) {
      #expect(error.description.contains("try again") == error.isWorthRetrying, "\(error)")
    }
    #expect(FetchError.badStatus(408).isWorthRetrying)
    #expect(FetchError.badStatus(429).isWorthRetrying)
    #expect(NetworkError(code: -1016).asFetchError == .undecodable(encoding: nil))
  }
}

/// The sample with a comment that makes it too large to validate on the network's queue.
private let large: Data = {
  let comment = Data("tEXt".utf8) + Data(repeating: 0x61, count: 100_000)
  return Sample.png.bytes.prefix(33) + bigEndian(comment.count - 4) + comment + bigEndian(checksum(comment))
    + Sample.png.bytes.dropFirst(33)
}()

/// Returns the bytes in gzip format, without compression.
private func gzip(_ bytes: Data) -> Data {
  let length = [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)]
  return Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1] + length + length.map { ~$0 }) + bytes
    + Data(bigEndian(checksum(bytes)).reversed() + bigEndian(bytes.count).reversed())
}

private func checksum(_ bytes: Data) -> Int { Int(bytes.withUnsafeBytes(CRC32.of)) }

private func bigEndian(_ value: Int) -> Data {
  Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
}
