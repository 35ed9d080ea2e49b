import EventBus
import FetcherModel
import Foundation
import OriginServer
import Testing

extension NetworkSuite {
  @Suite struct StrategyTests {
    @Test(arguments: Laboratory.strategies)
    func aPictureArrivesAndTheEventsTellIt(strategy: String) async throws {
      let laboratory = try Laboratory(strategy)
      let (image, events) = await laboratory.fetch()
      #expect(image.image.bytes == Sample.png.bytes)
      #expect(events.kinds == ["started", "fetched"])
      #expect(events.entries.allSatisfy { $0.isOnMain })
      #expect(events.last?.isFetching == false)
      #expect(events.last?.strategy == strategy)
      #expect(laboratory.origin.counters.requestsByPath == ["/a.png": 1])
    }

    @Test(arguments: Laboratory.strategies)
    func aThousandReadsAreOneRequestAtTheOrigin(strategy: String) async throws {
      let laboratory = try Laboratory(strategy)
      let image = laboratory.image()
      let events = EventRecorder(image, in: laboratory.environment)
      for _ in 0..<1000 { _ = image.image }
      await events.ended()
      _ = image.image
      #expect(laboratory.origin.counters.requests == 1)
    }

    @Test(arguments: Laboratory.strategies)
    func twoImagesOfOneAddressAreOneRequestAtTheOrigin(strategy: String) async throws {
      let slow = OriginRoute(
        path: "/slow.png", OriginResponse(body: .data(Sample.png.bytes), latency: .milliseconds(100)))
      let laboratory = try Laboratory(strategy, [slow])
      let images = [laboratory.image("/slow.png"), laboratory.image("/slow.png")]
      let events = images.map { EventRecorder($0, in: laboratory.environment) }
      for image in images { _ = image.image }
      for recorder in events { await recorder.ended() }
      #expect(images.allSatisfy { $0.image.bytes == Sample.png.bytes })
      #expect(laboratory.origin.counters.requests == 1)
    }

    @Test(arguments: Laboratory.strategies)
    func aFailureKeepsThePlaceholderAndTheNextReadLoads(strategy: String) async throws {
      let flaky = OriginRoute(
        path: "/flaky.png",
        responses: [OriginResponse(status: 503), OriginResponse(body: .data(Sample.png.bytes))])
      let laboratory = try Laboratory(strategy, [flaky])
      let (image, events) = await laboratory.fetch("/flaky.png")
      #expect(image.state == .failed(strategy == "blocking" ? .transport(256) : .badStatus(503)))
      #expect(!image.isFetching)
      #expect(image.image.isPlaceholder)
      await events.ended(2)
      #expect(image.image.bytes == Sample.png.bytes)
      #expect(events.kinds == ["started", "failed", "started", "fetched"])
    }

    @Test(arguments: Laboratory.strategies)
    func aCancelLeavesThePlaceholderAndALaterReadLoads(strategy: String) async throws {
      let slow = OriginRoute(
        path: "/slow.png",
        responses: [
          OriginResponse(body: .data(Sample.png.bytes), fault: .stall(after: 10)),
          OriginResponse(body: .data(Sample.png.bytes)),
        ])
      let laboratory = try Laboratory(strategy, [slow])
      let image = laboratory.image("/slow.png")
      let events = EventRecorder(image, in: laboratory.environment)
      _ = image.image
      await laboratory.requests(1)
      image.cancel()
      await events.ended()
      #expect(image.state == .idle)
      _ = image.image
      await events.ended(2)
      #expect(image.image.bytes == Sample.png.bytes)
      #expect(events.kinds == ["started", "cancelled", "started", "fetched"])
    }

    @Test(arguments: Laboratory.strategies)
    func aStrategySwitchedInFlightFinishesWhatItBegan(strategy: String) async throws {
      let slow = OriginRoute(
        path: "/slow.png", OriginResponse(body: .data(Sample.png.bytes), latency: .milliseconds(100)))
      let laboratory = try Laboratory(strategy, [slow])
      let image = laboratory.image("/slow.png")
      let events = EventRecorder(image, in: laboratory.environment)
      _ = image.image
      let other = strategy == "async" ? "dataTask" : "async"
      try laboratory.environment.select(strategy: other)
      let (_, others) = await laboratory.fetch()
      await events.ended()
      #expect(events.last?.strategy == strategy)
      #expect(others.last?.strategy == other)
    }

    @Test("Five hundred starts and cancels do not hang", arguments: ["async", "dataTask", "downloadTask"])
    func fiveHundredCancels(strategy: String) async throws {
      let watchdog = Watchdog(seconds: 60 * ProcessCount.slowness, "500 starts and cancels with \(strategy)")
      let laboratory = try Laboratory(strategy)
      for index in 0..<500 {
        let image = laboratory.image("/a.png?\(index)")
        let events = EventRecorder(image, in: laboratory.environment)
        let before = laboratory.origin.counters.requests
        _ = image.image
        // A third at once, a third a moment later, a third when the origin has the request.
        if index % 3 == 1 { await Task.yield() }
        if index % 3 == 2 { await laboratory.requests(before + 1) }
        image.cancel()
        await events.ended()
      }
      let (image, _) = await laboratory.fetch()
      #expect(image.image.bytes == Sample.png.bytes)
      watchdog.stop()
    }
  }
}

extension Laboratory {
  /// Waits until the origin has had so many requests. It has no call for that, so this asks again and again.
  func requests(_ count: Int) async {
    await wait(environment) { origin.counters.requests >= count }
  }
}
