// snippet
import FetcherModel
import Testing

@MainActor struct SunsetPageTests {
  private let png = Picture.placeholder.bytes  // a whole PNG of one pixel

  @Test func showsThePicture() async throws {
    let environment = FetchEnvironment(
      strategy: .closure("stub") { [png] _ in FetchedBody(bytes: png) },
      limits: FetchLimits(deadline: nil))  // A busy machine may run the test late.
    let page = SunsetPage(in: environment)
    #expect(page.shown == nil)
    _ = try await page.sunset.load()
    #expect(page.shown?.bytes == png)
  }

  @Test func showsNothingAfterAnError() async {
    let environment = FetchEnvironment(
      strategy: .closure("stub") { _ in throw FetchError.badStatus(404) }, limits: FetchLimits(deadline: nil))
    let page = SunsetPage(in: environment)
    await #expect(throws: FetchError.badStatus(404)) { try await page.sunset.load() }
    #expect(page.shown == nil && page.sunset.state == .failed(.badStatus(404)))
  }
}
// end
