import EventBus
import FetcherModel
import ModelFixtures
import Testing

/// The stream of an image's states.
@Suite struct StatesTests {
  private let strategy = HeldStrategy()
  private let environment: FetchEnvironment
  private let image: IFImage

  init() {
    environment = .held(strategy)
    image = IFImage(name: "a", url: "https://example.org/a", in: environment)
  }

  @Test("The stream yields the current state and then each change, without starting a fetch")
  func changes() async {
    var states = image.states.makeAsyncIterator()
    #expect(await states.next() == .idle)
    #expect(strategy.requests.isEmpty)
    _ = image.image
    #expect(await states.next() == .fetching(previous: nil))
    await strategy.begun(1)
    strategy.end(0, with: .failure(.badStatus(404)))
    #expect(await states.next() == .failed(.badStatus(404)))
    _ = image.image
    #expect(await states.next() == .fetching(previous: nil))
    await strategy.begun(2)
    strategy.end(1, with: Sample.png.bytes)
    #expect(await states.next()?.picture?.format == .png)
    image.refresh()
    #expect(await states.next() == .fetching(previous: image.image))
    image.cancel()
    #expect(await states.next() == .loaded(image.image))
  }

  @Test("A reader that falls behind receives the latest state")
  func behind() async {
    let events = EventRecorder(image, in: environment)
    var states = image.states.makeAsyncIterator()
    _ = image.image
    await strategy.begun(1)
    strategy.end(0, with: Sample.png.bytes)
    await events.ended()
    // The stream's handler runs behind that of the recorder.
    await settle(environment)
    #expect(await states.next()?.picture?.format == .png)
  }

  @Test("The stream does not report a picture from the cache") func cached() async throws {
    let cache = ImageCache()
    cache.store(try Picture(validating: Sample.png.bytes), for: "https://example.org/a")
    let image = IFImage(name: "a", url: "https://example.org/a", in: .held(strategy, cache: cache))
    var states = image.states.makeAsyncIterator()
    #expect(await states.next() == .idle)
    #expect(image.image.format == .png)
    image.refresh()
    #expect(await states.next() == .fetching(previous: image.image))
  }

  @Test("A stream that nothing reads leaves no subscription when it is released") func released() {
    do { _ = image.states }
    #expect(environment.bus.subscriptions.isEmpty)
  }

  @Test("The stream ends with the task that reads it, and then leaves no subscription")
  func end() async {
    let reading = Task { [image] in for await _ in image.states {} }
    while environment.bus.subscriberCount(for: ImageFetched.self) == 0 { await Task.yield() }
    reading.cancel()
    await reading.value
    #expect(environment.bus.subscriptions.isEmpty)
  }
}
