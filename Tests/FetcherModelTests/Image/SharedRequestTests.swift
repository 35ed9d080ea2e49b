import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import SocketStrategy
import Testing

/// Several images with the same address.
@Suite(.timeLimit(.minutes(10))) struct SharedRequestTests {
  let held = HeldStrategy()
  let environment: FetchEnvironment
  let images: [IFImage]
  let events: [EventRecorder]
  private let bytes = Picture.placeholder.bytes

  init() {
    let environment = FetchEnvironment.held(held)
    self.environment = environment
    images = ["a", "b"].map { IFImage(name: $0, url: "http://localhost/a.png", in: environment) }
    events = images.map { EventRecorder($0, in: environment) }
  }

  @Test("Two images with the same address share a request, and each posts its own events")
  func sharing() async {
    for image in images { _ = image.image }
    await held.begun(1)
    held.end(0, with: bytes)
    for recorder in events { await recorder.ended() }
    #expect(held.requests.count == 1)
    #expect(images.allSatisfy { $0.image.bytes == bytes })
    #expect(events.allSatisfy { $0.kinds == ["started", "fetched"] })
  }

  @Test("A failure reaches every image that waits for the request")
  func failure() async {
    for image in images { _ = image.image }
    await held.begun(1)
    held.end(0, with: .failure(.timedOut))
    for recorder in events { await recorder.ended() }
    #expect(images.allSatisfy { $0.state == .failed(.timedOut) })
    #expect(environment.requestCount == 0)
  }

  @Test("Progress reaches every image that waits for the request")
  func progress() async throws {
    for image in images { _ = image.image }
    await held.begun(1)
    await settle(environment)
    held.requests.first?.progress?(5, nil)
    held.end(0, with: bytes)
    for recorder in events { await recorder.ended() }
    #expect(events.map(\.progress) == [[[5, -1]], [[5, -1]]])
  }

  @Test("An environment can disable the sharing of requests")
  func notShared() async {
    let strategy = HeldStrategy()
    let environment = FetchEnvironment.held(strategy, sharesRequests: false)
    let images = ["a", "b"].map { IFImage(name: $0, url: "http://localhost/a.png", in: environment) }
    for image in images { _ = image.image }
    await strategy.begun(2)
    #expect(environment.requestCount == 2)
  }

  @Test("Cancelling one of two images leaves the shared request running")
  func cancelOne() async {
    for image in images { _ = image.image }
    await held.begun(1)
    images[0].cancel()
    await events[0].ended()
    #expect(held.cancels == 0)
    held.end(0, with: bytes)
    await events[1].ended()
    #expect(images[0].state == .idle)
    #expect(images[1].image.bytes == bytes)
    #expect(events[0].kinds == ["started", "cancelled"])
    #expect(events[1].kinds == ["started", "fetched"])
  }

  @Test("Cancelling the last waiting image stops the request")
  func cancelBoth() async {
    for image in images { _ = image.image }
    await held.begun(1)
    await settle(environment)
    images[0].cancel()
    #expect(held.cancels == 0)
    images[1].cancel()
    #expect(held.cancels == 1)
    #expect(environment.requestCount == 0)
  }

  @Test("An image that joins a request keeps the request's strategy, even after another strategy is selected")
  func joinAfterASwitch() async throws {
    let (first, second) = (HeldStrategy("first"), HeldStrategy("second"))
    let environment = FetchEnvironment.held(first, second)
    let images = ["a", "b"].map { IFImage(name: $0, url: "http://localhost/a.png", in: environment) }
    let events = images.map { EventRecorder($0, in: environment) }
    _ = images[0].image
    await first.begun(1)
    try environment.select("second")
    _ = images[1].image
    first.end(0, with: bytes)
    for recorder in events { await recorder.ended() }
    #expect(events.allSatisfy { $0.entries.map(\.strategy) == ["first", "first"] })
    #expect(second.requests.isEmpty)
  }

  @Test("Selecting another strategy affects the next fetch, but no fetch in flight")
  func switching() async throws {
    let (first, second) = (HeldStrategy("first"), HeldStrategy("second"))
    let environment = FetchEnvironment.held(first, second)
    let images = ["a", "b"].map { IFImage(name: $0, url: "http://localhost/\($0)", in: environment) }
    let events = images.map { EventRecorder($0, in: environment) }
    _ = images[0].image
    try environment.select("second")
    _ = images[1].image
    await first.begun(1)
    await second.begun(1)
    first.end(0, with: bytes)
    second.end(0, with: bytes)
    for recorder in events { await recorder.ended() }
    #expect(events.map { $0.entries.map(\.strategy) } == [["first", "first"], ["second", "second"]])
  }

  @Test("Selecting an unknown strategy fails with an error that lists the known ones")
  func unknownStrategy() throws {
    let known: [StrategyName] = [.blocking, .dataTask, .downloadTask, .async, "mine"]
    let environment = FetchEnvironment()
    environment.register(HeldStrategy("mine"))
    let error = #expect(throws: UnknownStrategy.self) { try environment.select("typo") }
    #expect(error?.name == "typo" && error?.known == known && environment.strategy.name == .dataTask)
    #expect(
      error?.description
        == "configuration: no strategy is called “typo”; select one of blocking, dataTask, downloadTask, async, mine")
    #expect(error?.localizedDescription == "No strategy is called “typo”.")
    #expect(error?.recoverySuggestion == "Select one of blocking, dataTask, downloadTask, async, mine.")
  }
}
