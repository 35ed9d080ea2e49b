import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import SocketStrategy
import TestMachine
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension NetworkSuite {
  /// Header fields that an app sends with the requests for its pictures.
  @Suite struct HeaderTests {
    private static let token = "S3CRET-TOKEN"
    private static let sending = Workbench.strategies.filter { $0 != .blocking }

    /// A server that records the header fields of its requests and chooses each response by the token.
    private final class Server: Sendable {
      let received = Locked<[HTTPHeaders]>([])
      let origin: OriginServer

      init(_ respond: @escaping @Sendable (_ token: String?) -> OriginResponse) throws {
        let received = received
        origin = try OriginServer(
          content: OriginContent(routes: [
            OriginRoute(path: "/a") { _, headers in
              let fields = HTTPHeaders(headers().map { (name: $0.name, value: $0.value) })
              received.withLock { $0.append(fields) }
              return respond(fields["x-token"])
            }
          ]))
      }

      var address: String { "\(origin.baseURL)a" }
      var tokens: [String?] { received.withLock { $0.map { $0["x-token"] } } }
    }

    private func environment(
      _ strategy: StrategyName, loader: SystemLoader = .shared, cache: ImageCache? = nil
    ) throws -> FetchEnvironment {
      let environment = FetchEnvironment(
        bus: EventBus(runtime: UncrowdedRuntime()), loader: loader, limits: .patient, cache: cache)
      environment.register(.socket)
      try environment.select(strategy)
      return environment
    }

    @Test(
      "The server receives the header fields of the environment, overridden by those of the image", arguments: sending)
    func token(_ strategy: StrategyName) async throws {
      let server = try Server { $0 == Self.token ? .init(body: .data(Sample.png.bytes)) : .init(status: 401) }
      let environment = try environment(strategy)
      environment.updateHeaders { $0 = ["X-App": "demo", "X-Token": "common"] }
      let image = IFImage(
        name: "a", url: server.address, headers: ["x-token": Self.token], in: environment)
      #expect(try await image.load().format == .png)
      let fields = try #require(server.received.withLock { $0.last })
      #expect(fields["x-token"] == Self.token)
      #expect(fields["x-app"] == "demo")
    }

    @Test("The server receives every value of a name that occurs several times", arguments: sending)
    func repeated(_ strategy: StrategyName) async throws {
      let server = try Server { _ in .init(body: .data(Sample.png.bytes)) }
      let image = IFImage(
        name: "a", url: server.address, headers: ["X-Tag": "1", "Accept": "image/png", "x-tag": "2"],
        in: try environment(strategy))
      #expect(try await image.load().format == .png)
      #expect(server.received.withLock { $0.map { $0["X-Tag"] } } == ["1, 2"])
    }

    @Test("The blocking strategy rejects header fields, because it cannot send them")
    func blocking() async throws {
      let server = try Server { _ in .init(body: .data(Sample.png.bytes)) }
      let image = IFImage(
        name: "a", url: server.address, headers: ["X-Token": Self.token], in: try environment(.blocking))
      await #expect(throws: FetchError.headersUnsent(strategy: .blocking)) { try await image.load() }
      #expect(server.tokens == [])
    }

    @Test("A redirect to another server sends neither tokens nor credentials", arguments: sending)
    func redirect(_ strategy: StrategyName) async throws {
      let other = try Server { _ in .init(body: .data(Sample.png.bytes)) }
      let target = other.address
      let first = try Server { _ in .init(status: 302, headers: [("Location", target)]) }
      let environment = try environment(strategy)
      environment.updateHeaders { $0 = ["X-Token": "common", "Authorization": "Bearer \(Self.token)"] }
      let image = IFImage(name: "a", url: first.address, headers: ["X-Token": Self.token], in: environment)
      #expect(try await image.load().format == .png)
      #expect(first.tokens == [Self.token])
      #expect(other.tokens == [nil])
      #expect(other.received.withLock { $0 }.allSatisfy { $0["authorization"] == nil })
    }

    @Test("A redirect to a host does not add the fields for this host", arguments: sending)
    func redirectToHost(_ strategy: StrategyName) async throws {
      let other = try Server { _ in .init(body: .data(Sample.png.bytes)) }
      let target = other.address
      let first = try Server { _ in .init(status: 302, headers: [("Location", target)]) }
      let environment = try environment(strategy)
      let host = try #require(other.origin.baseURL.host)
      environment.updateHeaders(for: try #require(HostName(host))) { $0 = ["X-Token": Self.token] }
      let address = first.address.replacing(host, with: host == "localhost" ? "127.0.0.1" : "localhost")
      #expect(try await IFImage(name: "a", url: address, in: environment).load().format == .png)
      #expect(first.tokens == [nil] && other.tokens == [nil])
    }

    @Test(
      "A session configuration's header fields are sent to the first server, but not to a redirect's target",
      arguments: [.dataTask, .downloadTask, .async] as [StrategyName])
    func configuration(_ strategy: StrategyName) async throws {
      let other = try Server { _ in .init(body: .data(Sample.png.bytes)) }
      let target = other.address
      let first = try Server { _ in .init(status: 302, headers: [("Location", target)]) }
      let configuration = URLSessionConfiguration.default
      configuration.httpAdditionalHeaders = ["X-Token": Self.token]
      let image = IFImage(
        name: "a", url: first.address, in: try environment(strategy, loader: SystemLoader(configuration: configuration))
      )
      #expect(try await image.load().format == .png)
      #expect(first.tokens == [Self.token])
      #expect(other.tokens == [nil])
    }

    @Test("A session configuration limits the connections per host")
    func connections() async throws {
      let configuration = URLSessionConfiguration.default
      configuration.httpMaximumConnectionsPerHost = 1
      let environment = try environment(.dataTask, loader: SystemLoader(configuration: configuration))
      let origin = try OriginServer(
        content: OriginContent(fallback: OriginResponse(body: .data(Sample.png.bytes), latency: .milliseconds(20))))
      await withTaskGroup { group in
        for number in 0..<5 {
          let image = IFImage(name: "\(number)", url: "\(origin.baseURL)\(number)", in: environment)
          group.addTask { _ = try? await image.load() }
        }
      }
      #expect(origin.counters.answers == 5)
      #expect(origin.counters.connections == 1)
    }

    @Test(
      "The limits set the idle timeout, not the session configuration",
      arguments: [.dataTask, .downloadTask, .async] as [StrategyName])
    func timeouts(_ strategy: StrategyName) async throws {
      let configuration = URLSessionConfiguration.default
      configuration.timeoutIntervalForRequest = 1
      let loader = SystemLoader(configuration: configuration)
      let late = OriginResponse(body: .data(Sample.png.bytes), latency: .seconds(3))
      let origin = try OriginServer(content: OriginContent(fallback: late))
      let image = { (limits: FetchLimits) in
        let environment = FetchEnvironment(bus: EventBus(runtime: UncrowdedRuntime()), loader: loader, limits: limits)
        try environment.select(strategy)
        return IFImage(name: "a", url: "\(origin.baseURL)a", in: environment)
      }
      #expect(try await image(.patient).load().format == .png)
      let short = FetchLimits(deadline: FetchLimits.longDeadline, idleTimeout: .seconds(1))
      await #expect(throws: FetchError.timedOut) { try await image(short).load() }
    }

    @Test("Images with different header fields do not share a picture")
    func separatePictures() async throws {
      let server = try Server { .init(body: .data($0 == "1" ? Sample.png.bytes : Sample.gif.bytes)) }
      let environment = try environment(.dataTask, cache: ImageCache())
      let images = ["1", "2", "1"].map {
        IFImage(name: $0, url: server.address, headers: ["X-Token": $0], in: environment)
      }
      async let first = images[0].load().format
      async let second = images[1].load().format
      #expect(try await [first, second] == [.png, .gif])
      #expect(try await images[2].load().format == .png)
      #expect(Set(server.tokens) == ["1", "2"])
      #expect(server.tokens.count == 2)
      // The environment's fields also separate the pictures.
      environment.updateHeaders { $0["x-token"] = "2" }
      #expect(try await IFImage(name: "4", url: server.address, in: environment).load().format == .gif)
    }

    @Test("Images share a cached picture if the cache ignores the header field in which they differ")
    func sharedPictures() async throws {
      let server = try Server { _ in .init(body: .data(Sample.png.bytes)) }
      let environment = try environment(.dataTask, cache: ImageCache(ignoredHeaders: ["x-token"]))
      for token in ["1", "2"] {
        let image = IFImage(name: token, url: server.address, headers: ["X-Token": token], in: environment)
        #expect(try await image.load().format == .png)
      }
      #expect(server.tokens == ["1"])
    }

    @Test("No event, error, or trace contains the value of a header field", arguments: Workbench.strategies)
    func secret(_ strategy: StrategyName) async throws {
      let server = try Server { _ in .init(status: 401) }
      let texts = Locked<[String]>([])
      let bus = EventBus(
        runtime: UncrowdedRuntime(),
        trace: { step in texts.withLock { $0.append("\(step)\(String(reflecting: step.event))") } })
      let environment = FetchEnvironment(bus: bus, limits: .patient)
      environment.register(.socket)
      try environment.select(strategy)
      let image = IFImage(name: "a", url: server.address, headers: ["X-Token": Self.token], in: environment)
      do { _ = try await image.load() } catch {
        texts.withLock {
          $0 += [error.message(for: "a"), "\(error)", String(reflecting: error), "\(image)", "\(image.state)"]
        }
      }
      let found = texts.withLock { $0 }
      #expect(found.count > 5)
      #expect(found.filter { $0.contains(Self.token) } == [])
    }
  }
}
