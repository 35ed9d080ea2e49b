import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import Testing

extension NetworkSuite {
  /// A view must not be able to tell which strategy is selected.
  @Suite struct AgreementTests {
    /// The results of one strategy.
    private struct Record: Equatable {
      var bytes: [Data?] = []
      var errors: [FetchError?] = []
      var kinds: [[String]] = []
      /// The names of the images in the order in which they ended.
      var order: [String] = []
      /// The number of requests for each path.
      var requests: [OriginPath: Int] = [:]
    }

    private static let samples = Sample.all
    private static let paths = samples.map { "/\($0.kind)" } + ["/page", "/empty", "/cut", "/missing", "/broken"]

    private static let routes =
      samples.map { OriginRoute(path: "/\($0.kind)", OriginResponse(body: .data($0.bytes))) } + [
        OriginRoute(path: "/page", OriginResponse(body: .text("<html>"))),
        OriginRoute(path: "/empty", OriginResponse()),
        OriginRoute(path: "/cut", OriginResponse(body: .data(Sample.png.bytes.dropLast(9)))),
        OriginRoute(path: "/missing", .notFound),
        OriginRoute(path: "/broken", OriginResponse(status: 500)),
      ]

    private func record(_ strategy: StrategyName) async throws -> Record {
      let workbench = try Workbench(strategy, Self.routes, maximumInFlight: 1)
      let images = Self.paths.map { workbench.image($0) }
      let order = Locked<[String]>([])
      let bus = workbench.environment.bus
      let subscriptions = [
        bus.subscribe(to: ImageFetched.self) { event in order.withLock { $0.append(event.name) } },
        bus.subscribe(to: ImageFetchFailed.self) { event in order.withLock { $0.append(event.name) } },
      ]
      let events = images.map { EventRecorder($0, in: workbench.environment) }
      for image in images { _ = image.image }
      for recorder in events { await recorder.ended() }
      for subscription in subscriptions { subscription.cancel() }
      return Record(
        bytes: images.map { image in
          if case .loaded(let picture) = image.state { picture.bytes } else { nil }
        },
        errors: events.map { $0.last?.error }, kinds: events.map(\.kinds), order: order.withLock { $0 },
        requests: workbench.origin.counters.requestsByPath)
    }

    @Test("All strategies agree, except that the blocking strategy does not see a bad status")
    func agreement() async throws {
      let model = try await record("dataTask")
      #expect(model.order == Self.paths)
      #expect(model.bytes.prefix(Self.samples.count).map { $0 } == Self.samples.map(\.bytes))
      #expect(
        model.errors.suffix(5) == [.notAnImage, .emptyBody, .truncated, .badStatus(404), .badStatus(500)])
      #expect(try await record("downloadTask") == model)
      #expect(try await record("async") == model)
      #expect(try await record("socket") == model)
      var blocking = model
      blocking.errors.replaceSubrange((model.errors.count - 2)..., with: [.transport(256), .transport(256)])
      #expect(try await record("blocking") == blocking)
    }
  }
}
