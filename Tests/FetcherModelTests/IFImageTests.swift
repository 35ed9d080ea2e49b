import EventBus
import FetcherModel
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct IFImageTests {
  let held = HeldStrategy()
  let environment: FetchEnvironment
  let image: IFImage
  let events: EventRecorder
  private let address = "http://localhost/a.png"
  private let bytes = Picture.placeholder.bytes

  init() {
    environment = .held(held)
    image = IFImage("a", address, in: environment)
    events = EventRecorder(image, in: environment)
  }

  @Test func withoutAReadNothingIsFetched() async {
    #expect(image.state == .idle)
    #expect(!image.isFetching)
    image.cancel()
    await settle(environment)
    #expect(held.requests.isEmpty)
    #expect(events.entries.isEmpty)
  }

  @Test func aThousandReadsMakeOneFetch() async {
    for _ in 0..<1000 { #expect(image.image.isPlaceholder) }
    await held.begun(1)
    #expect(image.isFetching)
    held.end(0, with: bytes)
    await events.ended()
    #expect(image.image.bytes == bytes)
    await settle(environment)
    #expect(held.requests.count == 1)
    #expect(events.kinds == ["started", "fetched"])
  }

  @Test func theTerminalEventFindsTheStateFinalAndRunsOnMain() async throws {
    _ = image.image
    await held.begun(1)
    held.end(0, with: bytes)
    await events.ended()
    #expect(events.entries.allSatisfy { $0.isOnMain })
    #expect(events.entries.first?.isFetching == true)
    let last = try #require(events.last)
    #expect(last.isFetching == false)
    #expect(last.state == image.state)
    guard case .loaded = last.state else {
      Issue.record("not loaded in the event: \(String(describing: last.state))")
      return
    }
  }

  @Test func aFailureKeepsThePlaceholderAndTheNextReadTriesAgain() async {
    _ = image.image
    await held.begun(1)
    held.end(0, with: .failure(.badStatus(500)))
    await events.ended()
    #expect(image.state == .failed(.badStatus(500)))
    #expect(!image.isFetching)
    #expect(events.last?.isFetching == false)
    #expect(held.requests.count == 1)
    #expect(image.image.isPlaceholder)
    await held.begun(2)
    held.end(1, with: bytes)
    await events.ended(2)
    #expect(image.image.bytes == bytes)
    #expect(events.kinds == ["started", "failed", "started", "fetched"])
  }

  @Test func aBodyThatIsNoPictureFails() async {
    _ = image.image
    await held.begun(1)
    held.end(0, with: Data("<html>".utf8))
    await events.ended()
    #expect(image.state == .failed(.notAnImage))
  }

  @Test func twoImagesOfOneAddressShareOneRequestAndGetAnEventEach() async {
    let other = IFImage("b", address, in: environment)
    let otherEvents = EventRecorder(other, in: environment)
    _ = image.image
    _ = other.image
    await held.begun(1)
    held.end(0, with: .failure(.timedOut))
    await events.ended()
    await otherEvents.ended()
    #expect(held.requests.count == 1)
    #expect(image.state == .failed(.timedOut))
    #expect(other.state == .failed(.timedOut))
    #expect(environment.requestCount == 0)
  }

  @Test func sharingCanBeSwitchedOff() async {
    let strategy = HeldStrategy()
    let environment = FetchEnvironment.held(strategy, sharesRequests: false)
    let images = ["a", "b"].map { IFImage($0, address, in: environment) }
    for image in images { _ = image.image }
    await strategy.begun(2)
  }

  @Test func cancellingOneOfTwoLeavesTheOther() async {
    let other = IFImage("b", address, in: environment)
    let otherEvents = EventRecorder(other, in: environment)
    _ = image.image
    _ = other.image
    await held.begun(1)
    image.cancel()
    await events.ended()
    #expect(held.cancels == 0)
    held.end(0, with: bytes)
    await otherEvents.ended()
    #expect(image.state == .idle)
    #expect(other.image.bytes == bytes)
    #expect(events.kinds == ["started", "cancelled"])
    #expect(otherEvents.kinds == ["started", "fetched"])
  }

  @Test func cancellingTheLastStopsTheWorkAndAReadAfterwardsLoads() async {
    _ = image.image
    await held.begun(1)
    await settle(environment)
    image.cancel()
    image.cancel()
    #expect(!image.isFetching)
    #expect(held.cancels == 1)
    _ = image.image
    await held.begun(2)
    held.end(0, with: .failure(.cancelled))
    held.end(1, with: bytes)
    await events.ended(2)
    #expect(image.image.bytes == bytes)
    image.cancel()
    await settle(environment)
    #expect(events.kinds == ["started", "cancelled", "started", "fetched"])
    #expect(held.cancels == 1)
  }

  @Test func startedComesFirstWhenACancelFollowsTheReadAtOnce() async {
    _ = image.image
    image.cancel()
    await events.ended()
    #expect(events.kinds == ["started", "cancelled"])
    #expect(environment.requestCount == 0)
  }

  @Test func aReleasedImageIsFreedAndItsRequestCancelled() async {
    var image: IFImage? = IFImage("gone", "http://localhost/gone.png", in: environment)
    weak let released = image
    let posted = Locked(0)
    let subscription = environment.bus.subscribe(to: ImageFetched.self) { _ in posted.withLock { $0 += 1 } }
    _ = image?.image
    await held.begun(1)
    await settle(environment)
    image = nil
    #expect(released == nil)
    #expect(held.cancels == 1)
    #expect(environment.requestCount == 0)
    held.end(0, with: bytes)
    await settle(environment)
    #expect(posted.withLock { $0 } == 0)
    subscription.cancel()
  }

  @Test func aSwitchLeavesTheFetchInFlightWithItsStrategy() async throws {
    let (first, second) = (HeldStrategy("first"), HeldStrategy("second"))
    let environment = FetchEnvironment.held(first, second)
    let images = ["a", "b"].map { IFImage($0, "http://localhost/\($0)", in: environment) }
    let events = images.map { EventRecorder($0, in: environment) }
    _ = images[0].image
    try environment.select(strategy: "second")
    _ = images[1].image
    await first.begun(1)
    await second.begun(1)
    first.end(0, with: bytes)
    second.end(0, with: bytes)
    for recorder in events { await recorder.ended() }
    #expect(events.map { $0.entries.map(\.strategy) } == [["first", "first"], ["second", "second"]])
    #expect(throws: FetchError.missingConfiguration("strategy third")) { try environment.select(strategy: "third") }
  }

  @Test(arguments: [("no url", FetchError.invalidURL), ("file:///etc/passwd", .blockedByTransportPolicy)])
  func anAddressThatIsRefusedFailsLikeAnyFetch(address: String, error: FetchError) async {
    let image = IFImage("x", address, in: environment)
    let events = EventRecorder(image, in: environment)
    #expect(image.image.isPlaceholder)
    await events.ended()
    #expect(events.kinds == ["started", "failed"])
    #expect(image.state == .failed(error))
    #expect(held.requests.isEmpty)
  }

  @Test func theDeadlineEndsAFetchThatNeverAnswers() async {
    let strategy = HeldStrategy()
    let environment = FetchEnvironment.held(strategy, limits: FetchLimits(deadline: .milliseconds(20)))
    let image = IFImage("slow", address, in: environment)
    let events = EventRecorder(image, in: environment)
    _ = image.image
    await events.ended()
    #expect(image.state == .failed(.timedOut))
    #expect(strategy.cancels == 1)
  }

  @Test func atMostTheLimitIsInFlightInTheOrderOfTheReads() async {
    let strategy = HeldStrategy()
    let environment = FetchEnvironment.held(strategy, limits: FetchLimits(maximumInFlight: 2))
    let images = (0..<5).map { IFImage("\($0)", "http://localhost/\($0)", in: environment) }
    let last = EventRecorder(images[4], in: environment)
    for image in images { _ = image.image }
    await strategy.begun(2)
    await settle(environment)
    #expect(strategy.requests.count == 2)
    images[2].cancel()
    for index in 0..<4 {
      strategy.end(index, with: bytes)
      await strategy.begun(min(4, index + 3))
    }
    await last.ended()
    #expect(strategy.requests.map(\.url.path) == ["/0", "/1", "/3", "/4"])
  }

  @Test func aRetryFollowsAServerErrorAndNeverARefusal() async {
    let strategy = HeldStrategy()
    let environment = FetchEnvironment.held(strategy, limits: FetchLimits(retries: 1, retryDelay: .zero))
    let image = IFImage("flaky", address, in: environment)
    let events = EventRecorder(image, in: environment)
    _ = image.image
    await strategy.begun(1)
    strategy.end(0, with: .failure(.badStatus(503)))
    await strategy.begun(2)
    strategy.end(1, with: .failure(.badStatus(404)))
    await events.ended()
    #expect(events.kinds == ["started", "failed"])
    #expect(image.state == .failed(.badStatus(404)))
    #expect(strategy.requests.count == 2)
  }

  @Test func aCacheHitIsSynchronousAndSilent() async {
    let cache = ImageCache()
    let environment = FetchEnvironment.held(held, cache: cache)
    cache.store(.placeholder, for: address)
    let image = IFImage("cached", address, in: environment)
    let events = EventRecorder(image, in: environment)
    #expect(image.image.bytes == bytes)
    #expect(!image.isFetching)
    await settle(environment)
    #expect(events.entries.isEmpty)
    #expect(held.requests.isEmpty)
  }

  @Test func finishingEndsEveryFetchWithCancelled() async {
    _ = image.image
    await held.begun(1)
    environment.finishAndSweep()
    await events.ended()
    #expect(image.state == .failed(.cancelled))
    #expect(environment.requestCount == 0)
  }
}
