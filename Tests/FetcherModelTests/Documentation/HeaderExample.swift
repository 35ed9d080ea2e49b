import FetcherModel
import Testing

@Suite("The header-field example from the documentation") struct HeaderExample {
  @Test("An image and its environment accept header fields") func headers() {
    let (token, address) = ("t", "https://example.org/a.png")
    // snippet
    let environment = FetchEnvironment(
      headers: ["Authorization": "Bearer \(token)"], strategy: .async, cache: ImageCache())
    let image = IFImage(name: "Sunset", url: address, headers: ["X-Album": "12"], in: environment)
    // end
    #expect(environment.headers.map(\.name) == ["Authorization"] && environment.strategy.name == .async)
    let newToken = "t2"
    // snippet
    environment.updateHeaders { $0["Authorization"] = "Bearer \(newToken)" }
    // end
    #expect(environment.headers == ["authorization": "Bearer t2"])
    #expect(image.url == address)
  }
}
