import EventBus
import FetcherModel
import ModelFixtures
import Testing

/// The reload of a loaded picture.
@Suite struct ReloadTests {
  private let strategy = HeldStrategy()

  private func loaded(_ cache: ImageCache?) async -> (IFImage, FetchEnvironment) {
    let environment = FetchEnvironment.held(strategy, cache: cache)
    let image = IFImage(name: "a", url: "https://example.org/a", in: environment)
    let events = EventRecorder(image, in: environment)
    _ = image.image
    await strategy.begun(1)
    strategy.end(0, with: Sample.png.bytes)
    await events.ended()
    return (image, environment)
  }

  @Test("A reload shows the old picture until the new one arrives", arguments: [nil, ImageCache()])
  func newPicture(_ cache: ImageCache?) async {
    let (image, environment) = await loaded(cache)
    let events = EventRecorder(image, in: environment)
    image.startReloading()
    await strategy.begun(2)
    #expect(image.isFetching)
    #expect(image.image.format == .png)
    #expect(image.state == .fetching(previous: image.image))
    strategy.end(1, with: Sample.gif.bytes)
    await events.ended()
    #expect(image.image.format == .gif)
    #expect(events.kinds == ["started", "fetched"])
    if let cache { #expect(cache.picture(for: "https://example.org/a")?.format == .gif) }
  }

  @Test("A reload that fails or is cancelled keeps the old picture", arguments: [nil, ImageCache()])
  func failure(_ cache: ImageCache?) async {
    let (image, environment) = await loaded(cache)
    let events = EventRecorder(image, in: environment)
    image.startReloading()
    await strategy.begun(2)
    strategy.end(1, with: .failure(.badStatus(404)))
    await events.ended()
    #expect(events.last?.error == .badStatus(404))
    #expect(image.image.format == .png)
    image.startReloading()
    await strategy.begun(3)
    image.cancel()
    await events.ended(2)
    #expect(events.kinds == ["started", "failed", "started", "cancelled"])
    #expect(image.image.format == .png)
    if let cache { #expect(cache.picture(for: "https://example.org/a")?.format == .png) }
    #expect(strategy.requests.count == 3)
  }

  @Test(
    "Waiting for a reload returns the new picture, or throws the error and keeps the old picture",
    arguments: [nil, ImageCache()])
  func wait(_ cache: ImageCache?) async throws {
    let (image, _) = await loaded(cache)
    async let new = image.reload()
    await strategy.begun(2)
    strategy.end(1, with: Sample.gif.bytes)
    let format = try await new.format
    #expect(format == .gif)
    let failed = Task { try await image.reload() }
    await strategy.begun(3)
    strategy.end(2, with: .failure(.badStatus(404)))
    await #expect(throws: FetchError.badStatus(404)) { try await failed.value }
    #expect(image.image.format == .gif)
  }

  @Test("A load that begins during a reload returns the new picture", arguments: [nil, ImageCache()])
  func load(_ cache: ImageCache?) async {
    let (image, _) = await loaded(cache)
    image.startReloading()
    await strategy.begun(2)
    let result = await withCheckedContinuation { continuation in
      image.load { continuation.resume(returning: $0) }
      strategy.end(1, with: Sample.gif.bytes)
    }
    #expect((try? result.get())?.format == .gif)
  }

  @Test(
    "Cancelling the only task that waits for a reload ends the fetch and keeps the old picture",
    arguments: [nil, ImageCache()])
  func cancelledWait(_ cache: ImageCache?) async {
    let (image, environment) = await loaded(cache)
    let events = EventRecorder(image, in: environment)
    let waiting = Task { try await image.reload() }
    await strategy.begun(2)
    waiting.cancel()
    await #expect(throws: FetchError.cancelled) { try await waiting.value }
    await events.ended()
    await settle(environment)
    #expect(events.kinds == ["started", "cancelled"] && strategy.cancels == 1)
    #expect(image.state.picture?.format == .png && !image.isFetching)
  }

  @Test("A reload that was also started without a wait continues when its only waiting task is cancelled")
  func startedAndCancelled() async {
    let (image, environment) = await loaded(nil)
    let events = EventRecorder(image, in: environment)
    image.startReloading()
    let waiting = Task { try await image.reload() }
    await strategy.begun(2)
    waiting.cancel()
    await #expect(throws: FetchError.cancelled) { try await waiting.value }
    #expect(image.isFetching)
    strategy.end(1, with: Sample.gif.bytes)
    await events.ended()
    #expect(image.state.picture?.format == .gif)
  }

  @Test("A new image joins a reload that is in flight", arguments: [nil, ImageCache()])
  func joined(_ cache: ImageCache?) async {
    let (image, environment) = await loaded(cache)
    cache?.removePicture(for: "https://example.org/a")
    image.startReloading()
    await strategy.begun(2)
    image.startReloading()
    let other = IFImage(name: "b", url: "https://example.org/a", in: environment)
    let events = EventRecorder(other, in: environment)
    _ = other.image
    strategy.end(1, with: Sample.gif.bytes)
    await events.ended()
    #expect(other.image.format == .gif)
    #expect(strategy.requests.count == 2)
  }
}
