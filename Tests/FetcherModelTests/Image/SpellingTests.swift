import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Testing
import TutorialApps

/// Two Unicode spellings of a letter compare equal as a `String`, but they are different addresses.
@Suite struct SpellingTests {
  private static let spellings = ["/caf\u{E9}.png", "/cafe\u{301}.png"]

  @Test("Each spelling of an address has its own request and cache entry")
  func requests() async throws {
    #expect(Self.spellings[0] == Self.spellings[1])
    let held = HeldStrategy()
    let environment = FetchEnvironment.held(held, cache: ImageCache())
    let addresses = Self.spellings.map { "http://localhost" + $0 }
    let images = addresses.map { IFImage(name: "cafe", url: $0, in: environment) }
    let events = images.map { EventRecorder($0, in: environment) }
    for image in images { _ = image.image }
    await held.begun(2)
    #expect(held.requests.map(\.url.absoluteString).sorted().map { $0.contains("%CC%81") } == [false, true])
    let isFirst = held.requests[0].url.absoluteString.contains("%C3%A9")
    held.end(isFirst ? 0 : 1, with: Sample.png.bytes)
    held.end(isFirst ? 1 : 0, with: Sample.gif.bytes)
    for recorder in events { await recorder.ended() }
    #expect(images.map(\.image.format) == [.png, .gif])
    #expect(addresses.map { environment.cache?.picture(for: $0)?.format } == [.png, .gif])
    #expect(environment.cache?.count == 2)
  }

  @Test("Two spellings of an identifier are two distinct identifiers")
  func identifiers() throws {
    let json = try JSONSerialization.data(
      withJSONObject: ["slides": Self.spellings.map { ["id": $0, "file": "a.png"] }])
    #expect(try Catalog(data: json, name: "list.json").entries.count == 2)
    #expect(try Slideshow(data: json).slides.count == 2)
  }
}
