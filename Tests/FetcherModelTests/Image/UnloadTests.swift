import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Testing

/// An image that releases its picture.
@Suite struct UnloadTests {
  private let strategy = HeldStrategy()
  private let cache = ImageCache()
  private let address = "https://example.org/a"

  private func loaded(in environment: FetchEnvironment) async -> IFImage {
    let image = IFImage(name: "a", url: address, in: environment)
    let events = EventRecorder(image, in: environment)
    image.startLoading()
    await strategy.begun(1)
    strategy.end(0, with: Sample.png.bytes)
    await events.ended()
    return image
  }

  @Test("Unloading releases the picture without an event, and the next read fetches it again")
  func unload() async {
    let environment = FetchEnvironment.held(strategy)
    let image = await loaded(in: environment)
    let events = EventRecorder(image, in: environment)
    image.unload()
    await settle(environment)
    #expect(image.state == .idle && events.kinds == [])
    #expect(image.image.isPlaceholder)
    await strategy.begun(2)
    strategy.end(1, with: Sample.gif.bytes)
    await events.ended()
    #expect(image.image.format == .gif && events.kinds == ["started", "fetched"])
  }

  @Test("After the cache is emptied and the image is unloaded, the memory of the picture is free") func memory() async {
    let isFree = Locked(false)
    let environment = FetchEnvironment.held(strategy, cache: cache)
    let image = IFImage(name: "a", url: address, in: environment)
    image.startLoading()
    await strategy.begun(1)
    do {
      let png = Sample.png.bytes
      let memory = UnsafeMutableRawPointer.allocate(byteCount: png.count, alignment: 1)
      png.copyBytes(to: UnsafeMutableRawBufferPointer(start: memory, count: png.count))
      strategy.end(
        0,
        with: Data(
          bytesNoCopy: memory, count: png.count,
          deallocator: .custom { pointer, _ in
            pointer.deallocate()
            isFree.withLock { $0 = true }
          }))
    }
    while image.isFetching { await settle(environment) }
    cache.removeAll()
    await settle(environment)
    #expect(image.image.format == .png && !isFree.withLock { $0 })
    image.unload()
    #expect(isFree.withLock { $0 })
  }

  @Test("After unloading, a read takes the picture from the cache") func cached() async {
    let image = await loaded(in: .held(strategy, cache: cache))
    image.unload()
    #expect(image.image.format == .png && strategy.requests.count == 1)
  }

  @Test("Unloading ends a fetch in flight as a cancel does", arguments: 0..<50)
  func inFlight(_ repetition: Int) async {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let events = EventRecorder(image, in: environment)
    let waiting = Task { try await image.load() }
    await strategy.begun(1)
    image.unload()
    strategy.end(0, with: Sample.png.bytes)
    await #expect(throws: FetchError.cancelled) { try await waiting.value }
    await settle(environment)
    #expect(image.state == .idle && events.kinds == ["started", "cancelled"] && strategy.cancels == 1)
  }

  @Test("Unloading during a reload also releases the old picture") func reload() async {
    let environment = FetchEnvironment.held(strategy)
    let image = await loaded(in: environment)
    image.startReloading()
    await strategy.begun(2)
    image.unload()
    #expect(image.state == .idle)
    strategy.end(1, with: Sample.gif.bytes)
    await settle(environment)
    #expect(image.state == .idle)
  }

  @Test("Unloading without a picture forgets a failure, and else has no effect") func nothing() async {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    image.unload()
    #expect(image.state == .idle && strategy.requests.isEmpty)
    let events = EventRecorder(image, in: environment)
    image.startLoading()
    await strategy.begun(1)
    strategy.end(0, with: .failure(.badStatus(404)))
    await events.ended()
    image.unload()
    #expect(image.state == .idle && strategy.requests.count == 1)
  }

  @Test("Starting to load fetches once, and has no effect while a fetch is in flight or the picture is loaded")
  func startLoading() async {
    let environment = FetchEnvironment.held(strategy)
    let image = await loaded(in: environment)
    image.startLoading()
    #expect(!image.isFetching)
    image.unload()
    for _ in 0..<3 { image.startLoading() }
    await strategy.begun(2)
    await settle(environment)
    #expect(image.state == .fetching(previous: nil) && strategy.requests.count == 2)
  }

  @Test("An image of a URL has the address of its absolute string") func url() throws {
    let url = try #require(URL(string: "b.png", relativeTo: URL(string: "https://example.org/a/")))
    let image = IFImage(name: "b", url: url, in: .held(strategy))
    #expect(image.url == "https://example.org/a/b.png")
  }
}
