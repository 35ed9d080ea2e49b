import EventBus
import FetcherModel
import Foundation
import HTTPWire
import ModelFixtures
import OriginServer
import SocketStrategy
import TestMachine
import Testing

@testable import SocketStrategy

extension NetworkSuite {
  /// How the loader opens a connection: the name lookup, the addresses, and servers that hang up immediately.
  @Suite struct OpeningTests {
    /// Name lookups that hang until the test ends, with a count of the concurrent lookups.
    private final class HungNames: Sendable {
      private struct State {
        var running = 0
        var most = 0
        var asked: [String] = []
      }
      private let state = Locked(State())
      private let release = DispatchSemaphore(value: 0)
      private let hung = DispatchSemaphore(value: 0)

      /// The maximum number of concurrent lookups.
      var most: Int { state.withLock { $0.most } }
      var asked: [String] { state.withLock { $0.asked } }

      /// Blocks for names that begin with `hung`. Other names resolve to 127.0.0.1.
      func resolve(_ host: String, _ port: UInt16) -> [SocketAddress] {
        state.withLock { state in
          state.asked.append(host)
          state.running += 1
          state.most = max(state.most, state.running)
        }
        if host.hasPrefix("hung") {
          hung.signal()
          release.wait()
          release.signal()
        }
        state.withLock { $0.running -= 1 }
        return SocketAddress.all(of: "127.0.0.1", port: port, isNumber: true)
      }

      /// Waits until `count` more lookups hang.
      func hang(_ count: Int) { for _ in 0..<count { hung.wait() } }

      func end() { release.signal() }
    }

    private static let picture = OriginContent(routes: [
      OriginRoute(path: "/a.png", OriginResponse(body: .data(Sample.png.bytes)))
    ])

    private func request(_ host: String, _ port: UInt16, idleTimeout: Duration = .seconds(60)) throws -> NetworkRequest
    {
      let url = try #require(URL(string: "http://\(host):\(port)/a.png"))
      return NetworkRequest(url: url, idleTimeout: idleTimeout, pool: "x")
    }

    // MARK: Early hang-ups

    /// The server listens on one address of `localhost`, so the other addresses refuse.
    @Test(
      "A server that hangs up after connecting is never reported as refused", arguments: ["127.0.0.1", "localhost"],
      [false, true])
    func hangUp(host: String, reset: Bool) async throws {
      let (rounds, atOnce) = (10, 24)
      let server = try LoopbackListener()
      Thread.detachNewThread { server.hangUp(rounds * atOnce, reset: reset) }
      let loader = SocketLoader(maximumConnections: atOnce)
      for _ in 0..<rounds {
        let listeners = (0..<atOnce).map { _ in TaskListener() }
        for listener in listeners { listener.start(try request(host, server.port), loader) }
        for listener in listeners {
          let error = await listener.ending().error
          #expect(error == .connectionLost || !reset && error == .unusableAnswer)
        }
      }
    }

    // MARK: Several addresses

    @Test("A silent first address delays the fetch only briefly")
    func silentFirst() async throws {
      let (origin, silent) = (try OriginServer(content: Self.picture), try LoopbackListener(isSilent: true))
      let good = SocketAddress.all(of: "127.0.0.1", port: origin.port, isNumber: true)
      let loader = SocketLoader { _, _ in [silent.address] + good }
      let ending = await TaskListener.load(try request("localhost", origin.port, idleTimeout: .seconds(20)), loader)
      #expect(ending.error == nil)
      #expect(ending.body == Sample.png.bytes)
    }

    @Test("After a refused address, the loader tries the next one without a delay")
    func refusedFirst() async throws {
      let (origin, silent) = (try OriginServer(content: Self.picture), try LoopbackListener(isSilent: true))
      // No server listens on port 1.
      let addresses = [1, origin.port].flatMap { SocketAddress.all(of: "127.0.0.1", port: $0, isNumber: true) }
      let loader = SocketLoader(attemptDelay: .seconds(3600)) { _, _ in addresses + [silent.address] }
      #expect(await TaskListener.load(try request("localhost", origin.port), loader).body == Sample.png.bytes)
    }

    #if os(Linux)
      @Test("A fetch times out if every address refuses or stays silent")
      func allSilent() async throws {
        let silent = try LoopbackListener(isSilent: true)
        let refused = SocketAddress.all(of: "127.0.0.1", port: 1, isNumber: true)
        let loader = SocketLoader(attemptDelay: .zero) { _, _ in [silent.address] + refused + [silent.address] }
        let ending = await TaskListener.load(try request("localhost", 1, idleTimeout: .seconds(1)), loader)
        #expect(ending.error == .timedOut)
        #expect(await Self.comesTrue(on: loader) { silent.connecting == 0 }, "an attempt is still open")
      }

      @Test("A cancel during the connection attempts closes all of them")
      func cancelled() async throws {
        let silent = try LoopbackListener(isSilent: true)
        let loader = SocketLoader(attemptDelay: .zero) { _, _ in Array(repeating: silent.address, count: 5) }
        let listener = TaskListener()
        listener.start(try request("localhost", 1), loader)
        #expect(await Self.comesTrue(on: loader) { silent.connecting == 5 })
        listener.cancel()
        #expect(await listener.ending().error == .cancelled)
        #expect(await Self.comesTrue(on: loader) { silent.connecting == 0 }, "an attempt is still open")
      }
    #endif

    /// Checks the condition after each turn of the loader's queue, for up to one minute.
    private static func comesTrue(on loader: SocketLoader, _ condition: @escaping @Sendable () -> Bool) async -> Bool {
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end {
        if condition() { return true }
        await turn(of: loader)
      }
      return false
    }

    private static func turn(of loader: SocketLoader) async {
      await withCheckedContinuation { continuation in loader.queue.async { continuation.resume() } }
    }

    // MARK: Names

    @Test("Hundreds of hung name lookups do not delay a fetch from a numeric address")
    func numberBesideHungNames() async throws {
      let (origin, names) = (try OriginServer(content: Self.picture), HungNames())
      let loader = SocketLoader(resolve: names.resolve)
      let listeners = (0..<256).map { _ in TaskListener() }
      for (number, listener) in listeners.enumerated() { listener.start(try request("hung\(number)", 1), loader) }
      names.hang(64)
      #expect(await TaskListener.load(try request("127.0.0.1", origin.port), loader).body == Sample.png.bytes)
      names.end()
      for listener in listeners { #expect(await listener.ending().error == .refused) }
      #expect(names.most == 64)
      #expect(names.asked.count == 256)
    }

    @Test("A ninth name is looked up while eight lookups hang")
    func nameBesideHungNames() async throws {
      let (origin, names) = (try OriginServer(content: Self.picture), HungNames())
      let loader = SocketLoader(resolve: names.resolve)
      let listeners = (0..<8).map { _ in TaskListener() }
      for (number, listener) in listeners.enumerated() { listener.start(try request("hung\(number)", 1), loader) }
      names.hang(8)
      #expect(await TaskListener.load(try request("localhost", origin.port), loader).body == Sample.png.bytes)
      names.end()
      for listener in listeners { _ = await listener.ending() }
    }

    @Test("A request that waits for its lookup ends at its deadline or with a cancel, without a lookup")
    func waitingName() async throws {
      let names = HungNames()
      let loader = SocketLoader(resolve: names.resolve)
      let listeners = (0..<64).map { _ in TaskListener() }
      for (number, listener) in listeners.enumerated() { listener.start(try request("hung\(number)", 1), loader) }
      names.hang(64)
      let (cancelled, kept) = (TaskListener(), TaskListener())
      cancelled.start(try request("cancelled", 1), loader)
      kept.start(try request("kept", 1), loader)
      #expect(await TaskListener.load(try request("late", 1, idleTimeout: .seconds(1)), loader).error == .timedOut)
      cancelled.cancel()
      #expect(await cancelled.ending().error == .cancelled)
      // A request whose lookup runs also ends, although the lookup continues.
      listeners[0].cancel()
      #expect(await listeners[0].ending().error == .cancelled)
      names.end()
      #expect(await kept.ending().error == .refused)
      for listener in listeners.dropFirst() { #expect(await listener.ending().error == .refused) }
      #expect(names.asked.filter { !$0.hasPrefix("hung") } == ["kept"])
    }

    @Test("Requests for one name share its lookup, even after one of them timed out")
    func sharedLookup() async throws {
      let names = HungNames()
      let loader = SocketLoader(resolve: names.resolve)
      #expect(await TaskListener.load(try request("hung", 1, idleTimeout: .seconds(1)), loader).error == .timedOut)
      let listeners = (0..<3).map { _ in TaskListener() }
      for listener in listeners { listener.start(try request("hung", 1), loader) }
      await Self.turn(of: loader)
      names.end()
      for listener in listeners { #expect(await listener.ending().error == .refused) }
      #expect(names.asked == ["hung"])
    }
  }
}
