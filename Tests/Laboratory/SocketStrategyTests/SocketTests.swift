import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import PlainText
import SeededNumbers
import SocketStrategy
import TestMachine
import Testing

@testable import SocketStrategy

extension NetworkSuite {
  /// How the socket loader uses its connections.
  @Suite struct SocketTests {
    private static let picture = OriginResponse(body: .data(Sample.png.bytes))

    /// An origin with a separate loader.
    private struct Bench {
      let origin: OriginServer
      let loader: SocketLoader

      init(_ routes: [OriginRoute] = [], idleTime: Duration = .seconds(30), policy: OriginPolicy = OriginPolicy())
        throws
      {
        let picture = OriginRoute(path: "/a.png", SocketTests.picture)
        origin = try OriginServer(content: OriginContent(routes: [picture] + routes), policy: policy)
        loader = SocketLoader(idleTime: idleTime)
      }

      func url(_ path: String) throws -> URL { try #require(URL(string: path, relativeTo: origin.baseURL)).absoluteURL }

      /// Returns the outcome of a request.
      func load(_ path: String = "/a.png", method: String = "GET", idleTimeout: Duration = .seconds(60)) async throws
        -> TaskListener.Ending
      {
        let url = try url(path)
        return await TaskListener.load(
          NetworkRequest(url: url, method: method, idleTimeout: idleTimeout, pool: "x"), loader)
      }
    }

    @Test("Sequential requests and redirects share one connection")
    func reuse() async throws {
      let moved = OriginResponse(status: 302, headers: [("Location", "/a.png")], body: .text("moved"))
      let bench = try Bench([OriginRoute(path: "/moved", moved)])
      for number in 0..<20 {
        let ending = try await bench.load(number % 2 == 0 ? "/a.png" : "/moved")
        #expect(ending.error == nil)
        #expect(ending.body == Sample.png.bytes)
      }
      #expect(bench.origin.counters.requests == 30)
      #expect(bench.origin.counters.connections == 1)
    }

    @Test("A reused connection carries no bytes from the previous response", arguments: 10...40)
    func reuseAfterManyLines(fields: Int) async throws {
      // The head has more lines than one turn reads, so the body is parsed in a later one.
      let headers = (0..<fields).map { (name: "X-\($0)", value: "x") }
      let bench = try Bench([OriginRoute(path: "/long", OriginResponse(headers: headers, body: .text("long")))])
      for _ in 0..<3 {
        let ending = try await bench.load("/long")
        #expect(ending.error == nil)
        #expect(ending.body == Data("long".utf8))
      }
      #expect(bench.origin.counters.connections == 1)
    }

    @Test("A loader opens at most six connections per server and pool")
    func bounded() async throws {
      let slow = OriginRoute(path: "/slow", OriginResponse(body: .text("x"), latency: .milliseconds(20)))
      let bench = try Bench([slow])
      let url = try bench.url("/slow")
      let listeners = (0..<30).map { _ in TaskListener() }
      for listener in listeners { listener.start(NetworkRequest(url: url, pool: "x"), bench.loader) }
      for listener in listeners { #expect(await listener.ending().error == nil) }
      #expect(bench.origin.counters.requests == 30)
      #expect(bench.origin.counters.connections == 6)
      // Another pool opens another connection.
      #expect(await TaskListener.load(NetworkRequest(url: url, pool: "y"), bench.loader).error == nil)
      #expect(bench.origin.counters.connections == 7)
    }

    @Test("The loader closes a connection that stays idle for its idle time")
    func idle() async throws {
      let bench = try Bench(idleTime: .milliseconds(50))
      #expect(try await bench.load().error == nil)
      #expect(bench.origin.wait { $0.open == 0 })
      #expect(try await bench.load().error == nil)
      #expect(bench.origin.counters.connections == 2)
    }

    @Test("Releasing a loader closes its connections")
    func release() async throws {
      var bench: Bench? = try Bench()
      #expect(try await bench?.load().error == nil)
      let origin = try #require(bench?.origin)
      bench = nil
      #expect(origin.wait { $0.open == 0 })
    }

    @Test("The loader repeats a request that the server drops on a kept connection, unless it is a POST")
    func stale() async throws {
      let drops = [OriginResponse(fault: .closeBeforeHeaders), Self.picture]
      let bench = try Bench(["/first", "/get", "/post"].map { OriginRoute(path: $0, responses: drops) })
      #expect(try await bench.load("/first").error == NetworkError(code: -1011))
      #expect(try await bench.load().error == nil)
      let repeated = try await bench.load("/get")
      #expect(repeated.error == nil)
      #expect(repeated.body == Sample.png.bytes)
      #expect(try await bench.load("/post", method: "POST").error == NetworkError(code: -1011))
      let counts = bench.origin.counters.requestsByPath
      #expect(counts["/first"] == 1)
      #expect(counts["/get"] == 2)
      #expect(counts["/post"] == 1)
    }

    @Test("A request that the server drops twice gets no third attempt")
    func repeatedOnce() async throws {
      let bench = try Bench([OriginRoute(path: "/drop", OriginResponse(fault: .closeBeforeHeaders))])
      #expect(try await bench.load().error == nil)
      #expect(try await bench.load("/drop").error == NetworkError(code: -1011))
      #expect(bench.origin.counters.requestsByPath["/drop"] == 2)
    }

    @Test("A kept connection that the server closes is not reused")
    func closedByServer() async throws {
      let bench = try Bench(policy: OriginPolicy(idleTimeout: .milliseconds(50)))
      #expect(try await bench.load().error == nil)
      #expect(bench.origin.wait { $0.open == 0 })
      #if os(Linux)
        // The system delivers the close after a moment. Until then, the client's side is established (state 01).
        let open = String(format: ":%04X 01 ", bench.origin.port)
        while try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).contains(open) { usleep(1000) }
      #endif
      #expect(try await bench.load(method: "POST").error == nil)
      #expect(bench.origin.counters.connections == 2)
    }

    @Test("The idle timeout ends a request to a silent server")
    func silence() async throws {
      let stall = OriginRoute(path: "/stall", OriginResponse(body: .bytes(100), fault: .stall(after: 10)))
      let bench = try Bench([stall])
      let ending = try await bench.load("/stall", idleTimeout: .seconds(1))
      #expect(ending.error == NetworkError(code: -1001))
      #expect(ending.body.count == 10)
      #expect(bench.origin.wait { $0.open == 0 })
    }

    @Test("A body that fills every buffer is sent completely and only once")
    func largeBody() async throws {
      let bench = try Bench([OriginRoute(path: "/post", OriginResponse(status: 201))])
      let body = OriginBody.pattern(8 << 20)
      let request = NetworkRequest(url: try bench.url("/post"), method: "POST", body: body, pool: "x")
      for _ in 0..<2 { #expect(await TaskListener.load(request, bench.loader).status == 201) }
      let counters = bench.origin.counters
      #expect(counters.requests == 2)
      #expect(counters.malformed == 0)
      #expect(counters.bytesReceived == 2 * body.count)
      #expect(counters.connections == 1)
    }

    @Test("The loader resolves host names and accepts bracketed IPv6 addresses")
    func names() async throws {
      let bench = try Bench()
      let byName = try #require(URL(string: "http://localhost:\(bench.origin.port)/a.png"))
      #expect(await TaskListener.load(NetworkRequest(url: byName, pool: "x"), bench.loader).body == Sample.png.bytes)
      let byNumber = try #require(URL(string: "http://[::1]:1/a.png"))
      #expect(
        await TaskListener.load(NetworkRequest(url: byNumber, pool: "x"), bench.loader).error
          == NetworkError(code: -1004))
    }

    @Test("A cancel ends a request in every state with the error -999")
    func cancelled() async throws {
      let stall = OriginRoute(path: "/stall", OriginResponse(body: .bytes(100), fault: .stall(after: 10)))
      let bench = try Bench([stall])
      let url = try bench.url("/stall")
      let listeners = (0..<8).map { _ in TaskListener() }
      for listener in listeners { listener.start(NetworkRequest(url: url, pool: "x"), bench.loader) }
      #expect(bench.origin.wait { $0.requests == 6 })
      for listener in listeners.reversed() {
        listener.cancel()
        listener.cancel()
        #expect(await listener.ending().error == NetworkError(code: -999))
      }
      #expect(bench.origin.wait { $0.open == 0 })
      #expect(bench.origin.counters.requests == 6, "a queued request must never be sent")
      let late = TaskListener()
      late.start(NetworkRequest(url: url, pool: "x"), bench.loader)
      late.cancel()
      #expect(await late.ending().error == NetworkError(code: -999))
      #expect(try await bench.load().error == nil)
    }

    @Test("Requests that race with cancels end once each, on at most six connections")
    func stress() async throws {
      let bench = try Bench()
      let urls = try ["/a.png", "/none"].map(bench.url)
      let listeners = (0..<400).map { _ in TaskListener() }
      await onThreads(8) { thread in
        var random = SplitMix64(seed: UInt64(thread))
        for index in stride(from: thread, to: listeners.count, by: 8) {
          listeners[index].start(NetworkRequest(url: urls[index % 2], pool: "x"), bench.loader)
          if index % 3 == 0 { listeners[Int.random(in: 0...index, using: &random)].cancel() }
        }
      }
      for listener in listeners {
        let ending = await listener.ending()
        #expect(ending.error == nil || ending.error?.code == -999)
        #expect(ending.error != nil || ending.status == 404 || ending.body == Sample.png.bytes)
      }
      #expect(try await bench.load().body == Sample.png.bytes)
      #expect(bench.origin.counters.open <= 6)
      #expect(listeners.allSatisfy { $0.count == 1 })
    }

    #if os(Linux)
      /// Runs in a separate process, because the work of other tests would count, too.
      @Test("Four requests that wait half a second use almost no processor time")
      func waiting() async {
        await #expect(processExitsWith: .success) {
          let slow = OriginRoute(path: "/slow", OriginResponse(body: .text("x"), latency: .milliseconds(500)))
          let bench = try Bench([slow])
          _ = try await bench.load()
          let url = try bench.url("/slow")
          let listeners = (0..<4).map { _ in TaskListener() }
          let before = ProcessCount.processTime
          for listener in listeners { listener.start(NetworkRequest(url: url, pool: "x"), bench.loader) }
          for listener in listeners { _ = await listener.ending() }
          let time = ProcessCount.processTime - before
          print("processor time: \(time)")
          precondition(time < .milliseconds(50) * ProcessCount.slowness, "waiting took \(time)")
        }
      }
    #endif
  }
}

extension NetworkSuite {
  /// The behavior that the strategy adds to the socket loader.
  @Suite struct SocketStrategyTests {
    @Test("An https URL or a redirect to one fails with an error that names the strategy")
    func https() async throws {
      let moved = OriginResponse(status: 302, headers: [("Location", "https://localhost/a.png")])
      let workbench = try Workbench("socket", [OriginRoute(path: "/moved", moved)])
      for address in ["HTTPS://localhost/a.png", workbench.address("/moved")] {
        let image = IFImage(name: "a", url: address, in: workbench.environment)
        let events = EventRecorder(image, in: workbench.environment)
        _ = image.image
        await events.ended()
        #expect(image.state == .failed(.unsupportedScheme(strategy: "socket")))
      }
      let message = FetchError.unsupportedScheme(strategy: "mine").message(for: "a")
      #expect(message.contains("the strategy mine cannot load https"))
    }

    @Test("A bad status takes precedence over the error for a compressed body that was not requested")
    func packed() async throws {
      let packed = [("Content-Encoding", "gzip")]
      let workbench = try Workbench(
        "socket",
        [
          OriginRoute(path: "/x", OriginResponse(headers: packed, body: .bytes(100))),
          OriginRoute(path: "/y", OriginResponse(status: 404, headers: packed, body: .bytes(100))),
        ])
      #expect(await workbench.fetch("/x").image.state == .failed(.undecodable(encoding: "gzip")))
      #expect(await workbench.fetch("/y").image.state == .failed(.badStatus(404)))
    }
  }
}
