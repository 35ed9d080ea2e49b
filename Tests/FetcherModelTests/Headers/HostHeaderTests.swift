import FetcherModel
import ModelFixtures
import Testing

/// Header fields that an app sends to one host only, such as a token.
@Suite struct HostHeaderTests {
  private let held = HeldStrategy()

  private func environment(cache: ImageCache? = nil) -> FetchEnvironment {
    let environment = FetchEnvironment.held(held, cache: cache)
    environment.updateHeaders { $0["X-App"] = "1" }
    environment.updateHeaders(for: "Images.example.com") { $0["Authorization"] = "token" }
    return environment
  }

  /// Returns the header fields of a request to the address.
  private func fields(
    of address: String, _ headers: HTTPHeaders = [:], in environment: FetchEnvironment
  ) async throws -> HTTPHeaders {
    let image = IFImage(name: "a", url: address, headers: headers, in: environment)
    image.startLoading()
    await held.begun(1)
    image.cancel()
    return try #require(held.requests.last).headers
  }

  @Test(
    "A request to the host has its fields, whatever the case of the name, the port and the scheme",
    arguments: [
      "https://images.example.com/a", "https://IMAGES.example.COM/a", "https://images.example.com:8443/a",
      "HTTPS://me@images.example.com/a",
    ])
  func sent(address: String) async throws {
    let headers = try await fields(of: address, in: environment())
    #expect(headers["authorization"] == "token" && headers["x-app"] == "1")
  }

  @Test(
    "A request to any other host has only the fields of all requests",
    arguments: [
      "https://example.com/a", "https://cdn.images.example.com/a", "https://images.example.com.evil.example/a",
      "https://images.example.com@evil.example/a", "https://evil.example/images.example.com", "https://xn--n8j/a",
    ])
  func unsent(address: String) async throws {
    let headers = try await fields(of: address, in: environment())
    #expect(headers["authorization"] == nil && headers["x-app"] == "1")
  }

  @Test("The fields of an image replace those of its host, which replace those of all requests")
  func order() async throws {
    let environment = FetchEnvironment(
      bus: EventBus(runtime: TrackedRuntime()), headers: ["A": "all", "B": "all", "C": "all"],
      headersByHost: ["images.example.com": ["b": "host", "c": "host"]],
      strategy: StrategyFactory { [held] _ in held })
    let headers = try await fields(of: "https://images.example.com/a", ["c": "image"], in: environment)
    #expect([headers["a"], headers["b"], headers["c"]] == ["all", "host", "image"])
    #expect(environment.headers(for: "IMAGES.example.com") == ["B": "host", "C": "host"])
    #expect(environment.headers(for: "example.com").isEmpty && environment.headers.count == 3)
  }

  @Test("A picture that was fetched with another token is fetched again, unless the token is for another host")
  func keys() async throws {
    let environment = environment(cache: ImageCache())
    let address = "https://images.example.com/a"
    held.endAll(with: Sample.png.bytes)
    let load = { try await IFImage(name: "a", url: address, in: environment).load() }
    _ = try await load()
    environment.updateHeaders(for: "example.com") { $0["Authorization"] = "other" }
    _ = try await load()
    #expect(held.requests.count == 1)
    environment.updateHeaders(for: "images.example.com") { $0["Authorization"] = "new" }
    _ = try await load()
    #expect(held.requests.map { $0.headers["authorization"] } == ["token", "new"])
  }
}
