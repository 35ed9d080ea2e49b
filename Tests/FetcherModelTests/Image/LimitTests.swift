import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Testing
import VirtualTime

/// The deadline, the number of attempts, and the limit on concurrent requests, in virtual time.
@Suite(.timeLimit(.minutes(10))) struct LimitTests {
  private let runtime = ManualRuntime()
  private let held = HeldStrategy()
  private let bytes = Picture.placeholder.bytes

  private func environment(_ limits: FetchLimits, maximumInFlight: Int? = nil) -> FetchEnvironment {
    .held(held, runtime: runtime, limits: limits, maximumInFlight: maximumInFlight)
  }

  @Test("The deadline fails an unanswered fetch and stops its request")
  func deadline() {
    let environment = environment(FetchLimits(deadline: .seconds(5)))
    let image = IFImage(name: "slow", url: "http://localhost/a", in: environment)
    let events = EventRecorder(image, in: environment)
    _ = image.image
    runtime.advance(by: .milliseconds(4999))
    #expect(image.isFetching)
    #expect(held.cancels == 0)
    runtime.advance(by: .milliseconds(1))
    #expect(image.state == .failed(.timedOut))
    #expect(events.kinds == ["started", "failed"])
    #expect(held.cancels == 1)
    #expect(environment.requestCount == 0)
  }

  @Test("The limits of an image replace those of its environment, and images with different limits share no request")
  func limitsOfAnImage() {
    let environment = environment(FetchLimits(deadline: .seconds(60)))
    let patient = IFImage(name: "a", url: "http://localhost/a", in: environment)
    let hasty = (0..<2).map { _ in
      IFImage(
        name: "b", url: "http://localhost/a", limits: FetchLimits(maximumBytes: 7, deadline: .seconds(5)),
        in: environment)
    }
    for image in [patient] + hasty { image.startLoading() }
    runtime.runReady()
    #expect(held.requests.map(\.limits.maximumBytes) == [FetchLimits().maximumBytes, 7])
    runtime.advance(by: .seconds(5))
    #expect(hasty.allSatisfy { $0.state == .failed(.timedOut) } && patient.isFetching)
  }

  @Test("A cached picture that is larger than an image allows is not used")
  func limitOfACachedPicture() throws {
    let cache = ImageCache()
    cache.store(try Picture(validating: Sample.png.bytes), for: "http://localhost/a")
    let environment = FetchEnvironment.held(held, runtime: runtime, limits: FetchLimits(deadline: nil), cache: cache)
    let image = { (limit: Int) in
      IFImage(
        name: "a", url: "http://localhost/a", limits: FetchLimits(maximumBytes: limit, deadline: nil), in: environment)
    }
    #expect(image(Sample.png.bytes.count).startLoading() != nil && held.requests.isEmpty)
    let small = image(Sample.png.bytes.count - 1)
    #expect(small.startLoading() == nil)
    runtime.runReady()
    #expect(held.requests.count == 1 && small.isFetching)
  }

  @Test(
    "The idle timeout is rounded up to whole seconds, at least one",
    arguments: [
      (.seconds(60), 60), (.milliseconds(1), 1), (.zero, 1), (.seconds(-5), 1), (.milliseconds(1001), 2),
      (.seconds(Int64.max), 1 << 31),
    ] as [(Duration, Int)])
  func wholeSeconds(timeout: Duration, seconds: Int) throws {
    let request = FetchRequest(url: URL(filePath: "/a"), limits: FetchLimits(idleTimeout: timeout))
    #expect(request.network(pool: "x").timeoutSeconds == seconds)
  }

  @Test("A fetch that ends before its deadline leaves no timer")
  func noTimerStays() {
    let environment = environment(FetchLimits(deadline: .seconds(5)))
    let image = IFImage(name: "a", url: "http://localhost/a", in: environment)
    _ = image.image
    runtime.runReady()
    held.end(0, with: bytes)
    runtime.runReady()
    #expect(!image.image.isPlaceholder)
    #expect(runtime.isIdle)
  }

  @Test("The deadline covers the retries and the waits before them")
  func deadlineOverAttempts() {
    let limits = FetchLimits(deadline: .seconds(5), retries: 100, retryDelay: .seconds(2))
    let environment = environment(limits)
    let image = IFImage(name: "flaky", url: "http://localhost/a", in: environment)
    _ = image.image
    for attempt in 0..<3 {
      runtime.runReady()
      held.end(attempt, with: .failure(.badStatus(503)))
      runtime.advance(by: .seconds(2))
    }
    #expect(image.state == .failed(.timedOut))
    #expect(held.requests.count == 3)
    #expect(runtime.isIdle)
  }

  @Test("A retry starts exactly when the retry delay has passed")
  func retryDelay() {
    let environment = environment(FetchLimits(deadline: nil, retries: 1, retryDelay: .milliseconds(300)))
    let image = IFImage(name: "flaky", url: "http://localhost/a", in: environment)
    let events = EventRecorder(image, in: environment)
    _ = image.image
    runtime.runReady()
    held.end(0, with: .failure(.badStatus(503)))
    runtime.advance(by: .milliseconds(299))
    #expect(held.requests.count == 1)
    runtime.advance(by: .milliseconds(1))
    #expect(held.requests.count == 2)
    held.end(1, with: bytes)
    runtime.runReady()
    #expect(events.kinds == ["started", "fetched"])
  }

  @Test(
    "A fetch retries a transient error as often as its limits allow",
    arguments: [FetchError.badStatus(500), .badStatus(503), .transport(-1004), .truncated, .timedOut])
  func retried(error: FetchError) {
    #expect(attempts(endingWith: error) == 3)
  }

  @Test(
    "A fetch never retries a permanent error",
    arguments: [
      FetchError.badStatus(400), .badStatus(404), .badStatus(301), .tooLarge, .notAnImage, .emptyBody,
      .blockedByTransportPolicy, .transport(-1007), .transport(256), .strategyFailed("mine", reason: "full"),
    ])
  func notRetried(error: FetchError) {
    #expect(attempts(endingWith: error) == 1)
  }

  private func attempts(endingWith error: FetchError) -> Int {
    let environment = environment(FetchLimits(retries: 2, retryDelay: .seconds(1)))
    let image = IFImage(name: "x", url: "http://localhost/a", in: environment)
    _ = image.image
    for attempt in 0..<4 {
      runtime.advance(by: .seconds(1))
      held.end(attempt, with: .failure(error))
    }
    runtime.runReady()
    #expect(image.state == .failed(error))
    return held.requests.count
  }

  @Test("A fetch does not retry if a complete body contains a truncated picture")
  func halfAPicture() {
    let environment = environment(FetchLimits(retries: 2, retryDelay: .seconds(1)))
    let image = IFImage(name: "half", url: "http://localhost/a", in: environment)
    _ = image.image
    runtime.runReady()
    held.end(0, with: Sample.png.bytes.dropLast(4))
    runtime.advance(by: .seconds(10))
    #expect(image.state == .failed(.truncated))
    #expect(held.requests.count == 1)
  }

  @Test("Cancelling a hundred images prevents the requests that are still queued")
  func cancelInLine() {
    let environment = environment(FetchLimits(), maximumInFlight: 1)
    let images = (0..<100).map { IFImage(name: "\($0)", url: "http://localhost/\($0)", in: environment) }
    for image in images { _ = image.image }
    runtime.runReady()
    for image in images { image.cancel() }
    #expect(held.requests.count == 1)
    let last = IFImage(name: "last", url: "http://localhost/last", in: environment)
    _ = last.image
    runtime.runReady()
    #expect(held.requests.map(\.url.path) == ["/0", "/last"])
  }

  @Test("A cancel between two attempts prevents the next attempt")
  func cancelBetweenAttempts() {
    let environment = environment(FetchLimits(deadline: nil, retries: 1, retryDelay: .seconds(1)))
    let image = IFImage(name: "x", url: "http://localhost/a", in: environment)
    _ = image.image
    runtime.runReady()
    held.end(0, with: .failure(.truncated))
    runtime.runReady()
    image.cancel()
    runtime.runReady()
    #expect(runtime.isIdle)
    #expect(held.requests.count == 1)
  }

  @Test("The limit on concurrent requests admits images in order and skips the cancelled ones")
  func inFlight() {
    let environment = environment(FetchLimits(deadline: nil), maximumInFlight: 2)
    let images = (0..<6).map { IFImage(name: "\($0)", url: "http://localhost/\($0)", in: environment) }
    for image in images { _ = image.image }
    runtime.runReady()
    #expect(held.requests.map(\.url.path) == ["/0", "/1"])
    images[2].cancel()
    runtime.runReady()
    #expect(held.requests.count == 2)
    images[0].cancel()
    runtime.runReady()
    #expect(held.requests.map(\.url.path) == ["/0", "/1", "/3"])
    held.end(1, with: .failure(.badStatus(404)))
    runtime.runReady()
    held.end(2, with: bytes)
    runtime.runReady()
    #expect(held.requests.map(\.url.path) == ["/0", "/1", "/3", "/4", "/5"])
  }

  @Test("Waiting for a permit does not count against the deadline")
  func waitingIsFree() {
    let environment = environment(FetchLimits(deadline: .seconds(5)), maximumInFlight: 1)
    let images = (0..<2).map { IFImage(name: "\($0)", url: "http://localhost/\($0)", in: environment) }
    for image in images { _ = image.image }
    runtime.advance(by: .seconds(6))
    #expect(images[0].state == .failed(.timedOut))
    #expect(images[1].isFetching)
    runtime.advance(by: .seconds(5))
    #expect(images[1].state == .failed(.timedOut))
  }

  @Test("Rejecting 20,000 queued addresses does not overflow the stack")
  func refusedInLine() {
    let environment = environment(FetchLimits(deadline: nil), maximumInFlight: 1)
    let first = IFImage(name: "first", url: "http://localhost/a", in: environment)
    let refused = (0..<20_000).map { IFImage(name: "\($0)", url: "file:///\($0)", in: environment) }
    _ = first.image
    for image in refused { _ = image.image }
    runtime.runReady()
    held.end(0, with: bytes)
    runtime.runReady()
    #expect(refused.allSatisfy { $0.state == .failed(.unsupportedScheme(strategy: nil)) })
    #expect(environment.requestCount == 0)
  }

  @Test("A thousand reads call the strategy in order on one serial scheduler")
  func oneScheduler() {
    let counting = SchedulerCount(base: runtime)
    let environment = FetchEnvironment.held(held, runtime: counting)
    let schedulers = counting.count.withLock { $0 }
    let images = (0..<1000).map { IFImage(name: "\($0)", url: "http://localhost/\($0)", in: environment) }
    for image in images { _ = image.image }
    runtime.runReady()
    #expect(held.requests.map(\.url.path) == (0..<1000).map { "/\($0)" })
    #expect(counting.count.withLock { $0 } == schedulers + 1)
    #expect(runtime.isIdle)
  }

  @Test("A limit of less than one concurrent request counts as one", arguments: [0, -1])
  func noPermit(limit: Int) {
    let environment = environment(FetchLimits(deadline: nil), maximumInFlight: limit)
    let images = (0..<2).map { IFImage(name: "\($0)", url: "http://localhost/\($0)", in: environment) }
    for image in images { image.startLoading() }
    runtime.runReady()
    #expect(held.requests.count == 1)
    held.end(0, with: bytes)
    runtime.runReady()
    #expect(held.requests.count == 2)
  }

  @Test("A thousand fetches that complete synchronously leave no request or handle")
  func synchronousEnds() {
    let strategy = EagerStrategy { _ in .success(FetchedBody(bytes: Sample.png.bytes)) }
    let environment = FetchEnvironment(bus: EventBus(runtime: runtime), maximumInFlight: 3)
    environment.use(strategy)
    let images = (0..<1000).map { IFImage(name: "\($0)", url: "http://localhost/\($0)", in: environment) }
    for image in images { _ = image.image }
    runtime.runReady()
    #expect(images.allSatisfy { !$0.image.isPlaceholder })
    #expect(strategy.requestCount == 1000)
    #expect(environment.requestCount == 0)
    #expect(strategy.livingHandles == 0)
    #expect(runtime.isIdle)
  }
}

/// A runtime that counts the serial schedulers that the environment creates.
private struct SchedulerCount: Runtime {
  let base: ManualRuntime
  let count = Locked(0)

  var main: any Scheduler { base.main }
  var workers: any Scheduler { base.workers }
  var now: Duration { base.now }
  func serial(_ label: String) -> any Scheduler {
    count.withLock { $0 += 1 }
    return base.serial(label)
  }
  func gate() -> any Gate { base.gate() }
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { base.task(body) }
}
