import FetcherModel
import ModelFixtures
import Testing

/// The pictures of a cache, by address and header fields, or by image.
@Suite struct CacheLookupTests {
  private let cache = ImageCache()
  private let picture: Picture

  init() throws { picture = try Picture(validating: Sample.png.bytes) }

  @Test("Storing, looking up and removing a picture use the same header fields, by default none")
  func symmetry() {
    cache.store(picture, for: "a")
    cache.store(picture, for: "a", headers: ["X-Token": "1"])
    #expect(cache.picture(for: "a") != nil && cache.picture(for: "a", headers: ["x-token": "1"]) != nil)
    #expect(cache.removePicture(for: "a") && !cache.removePicture(for: "a"))
    #expect(cache.picture(for: "a") == nil && cache.picture(for: "a", headers: ["X-Token": "1"]) != nil)
    #expect(cache.removePicture(for: "a", headers: ["x-token": "1"]) && cache.count == 0 && cache.cost == 0)
  }

  @Test("Removing all pictures of an address covers all header fields, and no other address") func address() {
    for token in ["1", "2"] { cache.store(picture, for: "a", headers: ["X-Token": token]) }
    cache.store(picture, for: "a")
    cache.store(picture, for: "b")
    cache.removeAll(for: "c")
    #expect(cache.count == 4)
    cache.removeAll(for: "a")
    #expect(cache.count == 1 && cache.picture(for: "b") == picture && cache.cost == picture.bytes.count)
  }

  @Test("A cache that ignores the token keeps its pictures when the token changes, and a fetch sends the new one")
  func newToken() async throws {
    let strategy = HeldStrategy()
    let cache = ImageCache(ignoredHeaders: ["Authorization"])
    let environment = FetchEnvironment(
      headersByHost: ["example.org": ["Authorization": "old"]], limits: FetchLimits(deadline: nil), cache: cache)
    environment.use(strategy)
    let image = { @Sendable in IFImage(name: "a", url: "https://example.org/a", in: environment) }
    let early = image()
    early.startLoading()
    await strategy.begun(1)
    environment.updateHeaders(for: "example.org") { $0["Authorization"] = "new" }
    // A request with the old token may fail, so no image joins it after the change.
    async let late = image().load()
    await strategy.begun(2)
    #expect(strategy.requests.map { $0.headers["Authorization"] } == ["old", "new"])
    strategy.end(0, with: .failure(.badStatus(401)))
    strategy.end(1, with: Sample.png.bytes)
    let picture = try await late
    environment.updateHeaders(for: "example.org") { $0["Authorization"] = "newer" }
    #expect(image().startLoading() == picture && cache.count == 1)
    #expect(cache.picture(for: "https://example.org/a", headers: ["authorization": "any"]) == picture)
    withExtendedLifetime(early) {}
  }

  @Test("A lookup for an image finds the picture with the header fields of its environment", arguments: [false, true])
  func image(ignoresHeaders: Bool) async throws {
    let strategy = HeldStrategy()
    strategy.endAll(with: Sample.png.bytes)
    let cache = ImageCache(ignoredHeaders: ignoresHeaders ? ["x-app", "X-IMAGE"] : [])
    let environment = FetchEnvironment(headers: ["X-App": "1"], cache: cache)
    environment.use(strategy)
    let address = "https://example.org/a"
    let image = IFImage(name: "a", url: address, headers: ["X-Image": "2"], in: environment)
    #expect(cache.picture(for: image) == nil)
    let loaded = try await image.load()
    #expect(cache.picture(for: image) == loaded)
    #expect((cache.picture(for: address) == nil) != ignoresHeaders)
    let other = IFImage(name: "b", url: address, in: environment)
    #expect((cache.picture(for: other) == nil) != ignoresHeaders)
    #expect(cache.removePicture(for: image) && !cache.removePicture(for: image))
    #expect(cache.picture(for: image) == nil && image.state == .loaded(loaded))
  }
}
