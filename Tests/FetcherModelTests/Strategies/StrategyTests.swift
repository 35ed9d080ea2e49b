import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import TestMachine
import Testing

extension NetworkSuite {
  @Suite struct StrategyTests {
    @Test("A strategy delivers a picture, and the events report it", arguments: Workbench.strategies)
    func aPictureArrivesAndTheEventsTellIt(strategy: StrategyName) async throws {
      let workbench = try Workbench(strategy)
      let (image, events) = await workbench.fetch()
      #expect(image.image.bytes == Sample.png.bytes)
      #expect(events.kinds == ["started", "fetched"])
      #expect(events.entries.allSatisfy { $0.isOnMain })
      #expect(events.last?.isFetching == false)
      #expect(events.last?.strategy == strategy)
      #expect(workbench.origin.counters.requestsByPath == ["/a.png": 1])
    }

    @Test("An environment with a bus uses the runtime of the bus")
    func runtimeOfTheBus() {
      #expect(FetchEnvironment(bus: EventBus(runtime: UncrowdedRuntime())).runtime is UncrowdedRuntime)
      #expect(FetchEnvironment().runtime is DispatchRuntime)
    }

    @Test("An address with an uppercase scheme is fetched like any other", arguments: Workbench.strategies)
    func capitals(strategy: StrategyName) async throws {
      let workbench = try Workbench(strategy)
      let address = workbench.address("/a.png").replacing("http://", with: "HTTP://")
      let image = IFImage(name: "a", url: address, in: workbench.environment)
      let events = EventRecorder(image, in: workbench.environment)
      _ = image.image
      await events.ended()
      #expect(image.image.bytes == Sample.png.bytes)
    }

    @Test("A redirect to an uppercase scheme is followed", arguments: Workbench.strategies)
    func redirectInCapitals(strategy: StrategyName) async throws {
      let target = try OriginServer(
        content: OriginContent(routes: [OriginRoute(path: "/a.png", OriginResponse(body: .data(Sample.png.bytes)))]))
      let location = target.baseURL.absoluteString.replacing("http://", with: "HTTP://") + "a.png"
      let workbench = try Workbench(
        strategy, [OriginRoute(path: "/x", OriginResponse(status: 302, headers: [("Location", location)]))])
      let (image, _) = await workbench.fetch("/x")
      #expect(image.image.bytes == Sample.png.bytes)
    }

    @Test("An informational response before the final one does not hide the picture", arguments: Workbench.strategies)
    func earlyHead(strategy: StrategyName) async throws {
      let bytes = Sample.png.bytes
      let heads =
        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n"
      let catcher = try RequestCatcher(answer: Data(heads.utf8) + bytes)
      let workbench = try Workbench(strategy)
      let told = Locked<[Int]>([])
      let request = FetchRequest(
        url: try workbench.environment.policy.url(catcher.address),
        responded: { head in told.withLock { $0.append(head.status) } })
      async let caught = catcher.request()
      let result = await withCheckedContinuation { continuation in
        _ = workbench.environment.strategy.fetch(request) { continuation.resume(returning: $0) }
      }
      _ = await caught
      #expect(try result.get().bytes == bytes)
      #expect(
        told.withLock { $0.allSatisfy { $0 == 200 } }, "the head of an informational response must not be reported")
    }

    @Test(
      "The progress of a compressed body does not report the compressed length as the total",
      arguments: Workbench.ofFoundation)
    func packed(strategy: StrategyName) async throws {
      // The word “picture” a thousand times, compressed with gzip.
      let packed = try #require(
        Data(base64Encoded: "H4sIAAAAAAACA+3FMQ0AMAgAMLELxz5CwD8KcNA+zf96KlKSJEmSJEmSJEnS3QLUyBo+WBsAAA=="))
      let packet = OriginResponse(headers: [("Content-Encoding", "gzip")], body: .data(packed))
      let workbench = try Workbench(strategy, [OriginRoute(path: "/x", packet)])
      let lengths = Locked<[Int?]>([])
      let request = FetchRequest(url: try workbench.environment.policy.url(workbench.address("/x"))) { _, expected in
        lengths.withLock { $0.append(expected) }
      }
      let result = await withCheckedContinuation { continuation in
        _ = workbench.environment.strategy.fetch(request) { continuation.resume(returning: $0) }
      }
      #expect(try result.get().bytes == Data(String(repeating: "picture", count: 1000).utf8))
      #expect(lengths.withLock { $0.allSatisfy { $0 == nil } })
    }

    @Test(
      "Header fields that are not secret survive a redirect to another server", arguments: Workbench.seeing)
    func headerFields(strategy: StrategyName) async throws {
      let catcher = try RequestCatcher()
      let moved = OriginResponse(status: 302, headers: [("Location", catcher.address)])
      let workbench = try Workbench(strategy, [OriginRoute(path: "/moved", moved)])
      let url = try workbench.environment.policy.url(workbench.address("/moved"))
      let request = FetchRequest(url: url, headers: ["Accept-Language": "de", "Accept": "image/png"])
      async let caught = catcher.request()
      _ = await withCheckedContinuation { continuation in
        _ = workbench.environment.strategy.fetch(request) { continuation.resume(returning: $0) }
      }
      let head = await caught.head
      #expect(head.contains("Accept-Language: de"))
      #expect(head.contains("Accept: image/png"))
    }

    @Test("An image requests an uncompressed picture", arguments: Workbench.seeing)
    func notPacked(strategy: StrategyName) async throws {
      let catcher = try RequestCatcher()
      let workbench = try Workbench(strategy)
      let image = IFImage(name: "a", url: catcher.address, in: workbench.environment)
      let events = EventRecorder(image, in: workbench.environment)
      async let caught = catcher.request()
      _ = image.image
      let head = await caught.head
      await events.ended()
      #expect(head.filter { $0.lowercased().hasPrefix("accept-encoding:") } == ["Accept-Encoding: identity"])
    }

    @Test("A thousand reads cause one request to the origin", arguments: Workbench.strategies)
    func aThousandReadsAreOneRequestAtTheOrigin(strategy: StrategyName) async throws {
      let workbench = try Workbench(strategy)
      let image = workbench.image()
      let events = EventRecorder(image, in: workbench.environment)
      for _ in 0..<1000 { _ = image.image }
      await events.ended()
      _ = image.image
      #expect(workbench.origin.counters.requests == 1)
    }

    @Test("Two images with the same address cause one request to the origin", arguments: Workbench.strategies)
    func twoImagesOfOneAddressAreOneRequestAtTheOrigin(strategy: StrategyName) async throws {
      let slow = HeldAnswer("/slow.png")
      defer { slow.release() }
      let workbench = try Workbench(strategy, [slow.route])
      let images = [workbench.image("/slow.png"), workbench.image("/slow.png")]
      let events = images.map { EventRecorder($0, in: workbench.environment) }
      for image in images { _ = image.image }
      slow.release()
      for recorder in events { await recorder.ended() }
      #expect(images.allSatisfy { $0.image.bytes == Sample.png.bytes })
      #expect(workbench.origin.counters.requests == 1)
    }

    @Test("A failed fetch leaves the placeholder, and the next read loads the picture", arguments: Workbench.strategies)
    func aFailureKeepsThePlaceholderAndTheNextReadLoads(strategy: StrategyName) async throws {
      let flaky = OriginRoute(
        path: "/flaky.png",
        responses: [OriginResponse(status: 503), OriginResponse(body: .data(Sample.png.bytes))])
      let workbench = try Workbench(strategy, [flaky])
      let (image, events) = await workbench.fetch("/flaky.png")
      #expect(image.state == .failed(strategy == "blocking" ? .transport(256) : .badStatus(503)))
      #expect(!image.isFetching)
      #expect(image.image.isPlaceholder)
      await events.ended(2)
      #expect(image.image.bytes == Sample.png.bytes)
      #expect(events.kinds == ["started", "failed", "started", "fetched"])
    }

    @Test(
      "A cancelled fetch leaves the placeholder, and a later read loads the picture", arguments: Workbench.strategies)
    func aCancelLeavesThePlaceholderAndALaterReadLoads(strategy: StrategyName) async throws {
      let slow = OriginRoute(
        path: "/slow.png",
        responses: [
          OriginResponse(body: .data(Sample.png.bytes), fault: .stall(after: 10)),
          OriginResponse(body: .data(Sample.png.bytes)),
        ])
      let workbench = try Workbench(strategy, [slow])
      let image = workbench.image("/slow.png")
      let events = EventRecorder(image, in: workbench.environment)
      _ = image.image
      await workbench.requests(1)
      image.cancel()
      await events.ended()
      #expect(image.state == .idle)
      _ = image.image
      await events.ended(2)
      #expect(image.image.bytes == Sample.png.bytes)
      #expect(events.kinds == ["started", "cancelled", "started", "fetched"])
    }

    @Test(
      "A strategy that is deselected in flight finishes the fetches that it started", arguments: Workbench.strategies)
    func aStrategySwitchedInFlightFinishesWhatItBegan(strategy: StrategyName) async throws {
      let slow = HeldAnswer("/slow.png")
      defer { slow.release() }
      let workbench = try Workbench(strategy, [slow.route])
      let image = workbench.image("/slow.png")
      let events = EventRecorder(image, in: workbench.environment)
      _ = image.image
      let other: StrategyName = strategy == .async ? .dataTask : .async
      try workbench.environment.select(other)
      let (_, others) = await workbench.fetch()
      slow.release()
      await events.ended()
      #expect(events.last?.strategy == strategy)
      #expect(others.last?.strategy == other)
    }

    @Test("Many rapid starts and cancels do not hang a strategy", arguments: Workbench.seeing)
    func manyCancels(strategy: StrategyName) async throws {
      let watchdog = Watchdog(seconds: 300 * ProcessCount.slowness, "starts and cancels with \(strategy)")
      let workbench = try Workbench(strategy)
      for index in 0..<LongTests.times(150, long: 500) {
        let image = workbench.image("/a.png?\(index)")
        let events = EventRecorder(image, in: workbench.environment)
        let before = workbench.origin.counters.requests
        _ = image.image
        // Cancels one third at once, one third a moment later, and one third when the origin has the request.
        if index % 3 == 1 { await Task.yield() }
        if index % 3 == 2 { await workbench.requests(before + 1) }
        image.cancel()
        await events.ended()
      }
      let (image, _) = await workbench.fetch()
      #expect(image.image.bytes == Sample.png.bytes)
      watchdog.stop()
    }
  }
}

extension Workbench {
  /// Waits until the origin has received `count` requests. The origin reports no events, so this method polls.
  func requests(_ count: Int) async {
    await wait(environment) { origin.counters.requests >= count }
  }
}
