import FetcherModel
import Testing

@Suite("The header-field example from the documentation") struct HeaderExample {
  @Test("An image and its environment accept header fields") func headers() {
    let (token, address) = ("t", "https://example.org/a.png")
    // snippet
    let environment = FetchEnvironment(
      headers: ["User-Agent": "Album/1.0"],
      headersByHost: ["images.example.com": ["Authorization": "Bearer \(token)"]],
      cache: ImageCache(ignoredHeaders: ["Authorization"]))
    let image = IFImage(name: "Sunset", url: address, headers: ["X-Album": "12"], in: environment)
    // end
    #expect(environment.headers.map(\.name) == ["User-Agent"])
    #expect(environment.headers(for: "images.example.com") == ["authorization": "Bearer t"])
    let newToken = "t2"
    // snippet
    environment.updateHeaders(for: "images.example.com") { $0["Authorization"] = "Bearer \(newToken)" }
    // end
    #expect(environment.headers(for: "images.example.com") == ["authorization": "Bearer t2"])
    #expect(image.url == address)
    let text = "cdn.example.com"
    // snippet
    if let host = HostName(text) { environment.updateHeaders(for: host) { $0["Authorization"] = "Bearer \(token)" } }
    // end
    #expect(environment.headers(for: "CDN.example.com") == ["authorization": "Bearer t"])
    // snippet
    let cache = ImageCache(ignoredHeaders: ["Authorization"])
    // end
    #expect(cache.count == 0)
  }
}
