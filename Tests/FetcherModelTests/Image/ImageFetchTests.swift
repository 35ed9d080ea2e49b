import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Testing
import VirtualTime

/// Reads of one image: when they start a fetch, what the image shows meanwhile, and which events it posts.
@Suite(.timeLimit(.minutes(10))) struct ImageFetchTests {
  let held = HeldStrategy()
  let environment: FetchEnvironment
  let image: IFImage
  let events: EventRecorder
  private let address = "http://localhost/a.png"
  private let bytes = Picture.placeholder.bytes

  init() {
    environment = .held(held)
    image = IFImage(name: "a", url: address, in: environment)
    events = EventRecorder(image, in: environment)
  }

  @Test("An image starts no fetch until it is read")
  func noRead() async {
    #expect(image.state == .idle)
    #expect(!image.isFetching)
    await settle(environment)
    #expect(held.requests.isEmpty)
    #expect(events.entries.isEmpty)
  }

  @Test("The first read returns the placeholder and starts one fetch")
  func firstRead() async {
    #expect(image.image.isPlaceholder)
    #expect(image.isFetching)
    await held.begun(1)
    #expect(held.requests.map(\.url.absoluteString) == [address])
    await settle(environment)
    #expect(events.kinds == ["started"])
  }

  @Test("A thousand reads of an image start one fetch")
  func thousandReads() async {
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

  @Test("Events are delivered on main, and the terminal event sees the image's final state")
  func terminalEvent() async throws {
    _ = image.image
    await held.begun(1)
    held.end(0, with: bytes)
    await events.ended()
    #expect(events.entries.allSatisfy { $0.isOnMain })
    #expect(events.entries.first?.isFetching == true)
    let last = try #require(events.last)
    #expect(last.isFetching == false)
    #expect(last.state == .loaded(try Picture(validating: bytes)))
  }

  @Test("Progress events are delivered on main, and only between the start and the end of the fetch")
  func progress() async throws {
    _ = image.image
    await held.begun(1)
    await settle(environment)
    let report = try #require(held.requests.first?.progress)
    report(10, 30)
    await settle(environment)
    report(20, 30)
    held.end(0, with: bytes)
    await events.ended()
    report(30, 30)
    await settle(environment)
    #expect(events.entries.map(\.kind) == ["started", "progress", "progress", "fetched"])
    #expect(events.entries.filter { $0.kind == "progress" }.allSatisfy { $0.isOnMain && $0.isFetching == true })
    #expect(events.progress == [[10, 30], [20, 30]])
  }

  @Test("A failed fetch leaves the placeholder, and the next read retries")
  func failure() async {
    _ = image.image
    await held.begun(1)
    held.end(0, with: .failure(.badStatus(500)))
    await events.ended()
    #expect(image.state == .failed(.badStatus(500)))
    #expect(events.last?.isFetching == false)
    for _ in 0..<100 { _ = image.state }
    await settle(environment)
    #expect(held.requests.count == 1, "reading the state must not start a fetch")
    #expect(image.image.isPlaceholder)
    await held.begun(2)
    held.end(1, with: bytes)
    await events.ended(2)
    #expect(image.image.bytes == bytes)
    #expect(events.kinds == ["started", "failed", "started", "fetched"])
  }

  @Test("A body that is not a picture fails the fetch")
  func noPicture() async {
    _ = image.image
    await held.begun(1)
    held.end(0, with: Data("<html>".utf8))
    await events.ended()
    #expect(image.state == .failed(.notAnImage))
  }

  @Test(
    "An address that is rejected fails the fetch without a network request",
    arguments: [("no url", FetchError.invalidURL), ("file:///etc/passwd", .unsupportedScheme(strategy: nil))])
  func refusedAddress(address: String, error: FetchError) async {
    let image = IFImage(name: "x", url: address, in: environment)
    let events = EventRecorder(image, in: environment)
    #expect(image.image.isPlaceholder)
    await events.ended()
    #expect(events.kinds == ["started", "failed"])
    #expect(image.state == .failed(error))
    #expect(held.requests.isEmpty)
  }

  @Test("A read inside a failure event starts the next fetch, and the events stay in order")
  func readInTheEvent() async {
    let reader = environment.bus.subscribe(to: ImageFetchFailed.self, key: image.id) { [image] _ in _ = image.image }
    _ = image.image
    await held.begun(1)
    held.end(0, with: .failure(.truncated))
    await held.begun(2)
    held.end(1, with: bytes)
    await events.ended(2)
    #expect(events.kinds == ["started", "failed", "started", "fetched"])
    reader.cancel()
  }

  @Test("An image posts all 20,000 events from one turn of main")
  func manyEvents() async {
    let environment = environment
    let image = IFImage(name: "many", url: "http://localhost/many", in: environment)
    let cancels = Locked(0)
    let subscription = environment.bus.subscribe(to: ImageFetchCancelled.self, key: image.id) { _ in
      cancels.withLock { $0 += 1 }
    }
    await withCheckedContinuation { continuation in
      environment.runtime.main.schedule {
        for _ in 0..<10_000 {
          _ = image.image
          image.cancel()
        }
        environment.runtime.main.schedule { continuation.resume() }
      }
    }
    #expect(cancels.withLock { $0 } == 10_000)
    subscription.cancel()
  }

  @Test("An image that a subscriber releases posts the end of its fetch, and no pending progress")
  func releasedInAnEvent() async throws {
    // With `PromptRuntime`, the subscriber runs while the strategy's progress call is still in flight.
    let environment = FetchEnvironment.held(held, runtime: PromptRuntime())
    let kept = Locked<IFImage?>(nil)
    let told = Locked(0)
    let strategy = held
    do {
      let image = IFImage(name: "gone", url: "http://localhost/gone", in: environment)
      kept.withLock { $0 = image }
    }
    let id = try #require(kept.withLock { $0?.id })
    let ends = Locked(0)
    let ending = environment.bus.subscribe(to: ImageFetchCancelled.self, key: id) { _ in ends.withLock { $0 += 1 } }
    let subscription = environment.bus.subscribe(to: ImageFetchProgress.self, key: id) { _ in
      let count = told.withLock { count in
        count += 1
        return count
      }
      guard count < 10 else { return }
      strategy.requests.first?.progress?(20, 30)
      kept.withLock { $0 = nil }
    }
    await onThreads(1) { _ in _ = kept.withLock { $0 }?.image }
    await held.begun(1)
    await settle(environment)
    await onThreads(1) { _ in strategy.requests.first?.progress?(10, 30) }
    await settle(environment)
    #expect(told.withLock { $0 } == 1 && ends.withLock { $0 } == 1)
    subscription.cancel()
    ending.cancel()
  }

  @Test("Progress schedules work on main only while the progress event has a subscriber")
  func progressWithoutSubscriber() throws {
    let runtime = ManualRuntime()
    defer { runtime.close() }
    let environment = FetchEnvironment.held(held, runtime: runtime)
    let image = IFImage(name: "quiet", url: address, in: environment)
    _ = image.image
    runtime.runReady()
    let report = try #require(held.requests.first?.progress)
    report(10, 30)
    #expect(runtime.isIdle)
    let received = Locked<[Int]>([])
    let subscription = environment.bus.subscribe(to: ImageFetchProgress.self) { event in
      received.withLock { $0.append(event.received) }
    }
    report(20, 30)
    #expect(!runtime.isIdle)
    runtime.runReady()
    #expect(received.withLock { $0 } == [20])
    subscription.cancel()
    report(30, 30)
    #expect(runtime.isIdle)
  }

  @Test("The fetched event carries the picture")
  func pictureInTheEvent() async {
    let pictures = Locked<[Picture]>([])
    let subscription = environment.bus.subscribe(to: ImageFetched.self, key: image.id) { event in
      pictures.withLock { $0.append(event.picture) }
    }
    _ = image.image
    await held.begun(1)
    held.end(0, with: bytes)
    await events.ended()
    await settle(environment)
    #expect(pictures.withLock { $0.map(\.bytes) } == [bytes])
    subscription.cancel()
  }

  @Test("A cached picture is not shown for an address that the policy rejects")
  func policyBeforeCache() async throws {
    let cache = ImageCache()
    let address = "http://elsewhere.example/a.png"
    cache.store(try Picture(validating: Sample.png.bytes), for: address)
    let environment = FetchEnvironment.held(held, cache: cache)
    let image = IFImage(name: "a", url: address, in: environment)
    let events = EventRecorder(image, in: environment)
    #expect(image.image.isPlaceholder)
    await events.ended()
    #expect(image.state == .failed(.blockedByTransportPolicy))
    #expect(held.requests.isEmpty)
  }

  @Test("Reading the picture never starts a fetch, and returns the loaded or the previous picture")
  func picture() async throws {
    #expect(image.picture == nil)
    image.startLoading()
    await held.begun(1)
    #expect(image.picture == nil)
    held.end(0, with: .failure(.badStatus(500)))
    await events.ended()
    #expect(image.picture == nil)
    image.startLoading()
    await held.begun(2)
    held.end(1, with: bytes)
    await events.ended(2)
    #expect(image.picture?.bytes == bytes)
    image.startReloading()
    await held.begun(3)
    #expect(image.isFetching && image.picture?.bytes == bytes)
    image.unload()
    #expect(image.picture == nil)
    await settle(environment)
    #expect(held.requests.count == 3)
  }

  @Test("Loading a cached picture makes it available immediately and posts no event")
  func cachedPicture() async throws {
    let cache = ImageCache()
    let environment = FetchEnvironment.held(held, cache: cache)
    cache.store(.placeholder, for: address)
    let image = IFImage(name: "cached", url: address, in: environment)
    let events = EventRecorder(image, in: environment)
    image.startLoading()
    #expect(image.picture?.bytes == bytes)
    _ = try await image.load()
    await settle(environment)
    #expect(events.entries.isEmpty && held.requests.isEmpty)
  }

  @Test("A cache hit returns the picture immediately and posts no event")
  func cacheHit() async {
    let cache = ImageCache()
    let environment = FetchEnvironment.held(held, cache: cache)
    cache.store(.placeholder, for: address)
    let image = IFImage(name: "cached", url: address, in: environment)
    let events = EventRecorder(image, in: environment)
    #expect(image.image.bytes == bytes)
    #expect(!image.isFetching)
    await settle(environment)
    #expect(events.entries.isEmpty)
    #expect(held.requests.isEmpty)
  }

  @Test("A fetched picture is cached for other images, and a failure is not")
  func caching() async {
    let cache = ImageCache()
    let environment = FetchEnvironment.held(held, cache: cache)
    let image = IFImage(name: "a", url: address, in: environment)
    let events = EventRecorder(image, in: environment)
    _ = image.image
    await held.begun(1)
    held.end(0, with: .failure(.truncated))
    await events.ended()
    #expect(cache.count == 0)
    _ = image.image
    await held.begun(2)
    held.end(1, with: bytes)
    await events.ended(2)
    #expect(IFImage(name: "b", url: address, in: environment).image.bytes == bytes)
    #expect(held.requests.count == 2)
  }
}
