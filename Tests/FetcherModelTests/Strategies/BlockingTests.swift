import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import Testing
import VirtualTime

extension NetworkSuite {
  /// The costs of blocking reads, and their limits.
  @Suite struct BlockingTests {
    /// Runs in a separate process, so that no other test occupies the pool. A stalled machine spoils one attempt, but a
    /// starved pool spoils all of them.
    @Test(
      "Many blocking reads block neither the network nor main",
      arguments: [false, true])
    func noStarvation(usesOwnQueues: Bool) async {
      await #expect(processExitsWith: .success) { [usesOwnQueues] in
        let watchdog = Watchdog(seconds: 300, "asking with all workers blocked")
        defer { watchdog.stop() }
        // A starved pool grows by one thread per second, and each new thread takes a read.
        let limit = Duration.seconds(10) * ProcessCount.slowness
        var times: [Duration] = []
        while times.count < 3, !times.contains(where: { $0 < limit }) {
          times.append(try await Self.timeUntilTheyAsk(usesOwnQueues))
        }
        precondition(times.contains { $0 < limit }, "\(times)")
      }
    }

    /// Returns the time until the origin has received one request per core. The origin answers none of them, so every
    /// thread stays blocked.
    private static func timeUntilTheyAsk(_ usesOwnQueues: Bool) async throws -> Duration {
      let cores = ProcessInfo.processInfo.activeProcessorCount
      let count = cores + 20
      let workbench = try Workbench(
        "blocking", [OriginRoute(path: "/late.png", OriginResponse(latency: .seconds(3600)))])
      let environment = workbench.environment
      environment.use(BlockingStrategy(maximumInFlight: count, usesOwnQueues: usesOwnQueues))
      let images = (0..<count).map { workbench.image("/late.png?\($0)") }
      let events = images.map { EventRecorder($0, in: environment) }
      let start = environment.runtime.now
      for image in images { _ = image.image }
      // Schedules on main between two checks: if a read blocked main, the loop would never continue. All workers are
      // blocked.
      while workbench.origin.counters.requests < cores {
        await withCheckedContinuation { continuation in environment.runtime.main.schedule { continuation.resume() } }
      }
      let time = environment.runtime.now - start
      workbench.origin.stop()
      for recorder in events { await recorder.ended() }
      precondition(images.allSatisfy { $0.state == .failed(.transport(256)) })
      return time
    }

    @Test(
      "A read that is cancelled before it reaches a thread is never sent",
      arguments: [false, true])
    func cancelledOnItsWay(usesOwnQueues: Bool) throws {
      let (runtime, loader) = (ManualRuntime(), InstantLoader())
      let strategy = BlockingStrategy(
        runtime: runtime, loader: loader, maximumInFlight: 1, usesOwnQueues: usesOwnQueues)
      let results = Locked<[Result<FetchedBody, FetchError>]>([])
      let request = FetchRequest(url: try TransportPolicy().url("http://localhost/a.png"))
      strategy.fetch(request) { result in results.withLock { $0.append(result) } }.cancel()
      runtime.runReady()
      #expect(loader.total == 0)
      _ = strategy.fetch(request) { result in results.withLock { $0.append(result) } }
      runtime.runReady()
      #expect(loader.total == 1)
      #expect(results.withLock { $0 } == [.failure(.cancelled), .success(FetchedBody(bytes: Sample.png.bytes))])
    }

    @Test("Cancelling a queued read releases its captures immediately")
    func cancelledInLine() throws {
      let strategy = BlockingStrategy(runtime: ManualRuntime(), loader: InstantLoader(), maximumInFlight: 1)
      let url = try TransportPolicy().url("http://localhost/a.png")
      _ = strategy.fetch(FetchRequest(url: url)) { _ in }
      weak var released: Token?
      do {
        let token = Token()
        released = token
        let request = FetchRequest(url: url) { _, _ in withExtendedLifetime(token) {} }
        strategy.fetch(request) { _ in withExtendedLifetime(token) {} }.cancel()
      }
      #expect(released == nil)
    }

    @Test("The strategy blocks at most as many threads at once as its limit allows", arguments: [false, true])
    func bounded(usesOwnQueues: Bool) async throws {
      let loader = CountingLoader()
      let strategy = BlockingStrategy(loader: loader, maximumInFlight: 3, usesOwnQueues: usesOwnQueues)
      let url = try TransportPolicy().url("http://localhost/a.png")
      await withCheckedContinuation { (end: CheckedContinuation<Void, Never>) in
        let open = Locked(21)
        for _ in 0..<21 {
          _ = strategy.fetch(FetchRequest(url: url)) { _ in
            let left = open.withLock { open in
              open -= 1
              return open
            }
            if left == 0 { end.resume() }
          }
        }
      }
      #expect(loader.total == 21)
      #expect(loader.most == 3)
    }
  }
}

private final class Token: Sendable {}

/// A network that responds immediately and counts the reads.
private final class InstantLoader: NetworkLoader {
  private let reads = Locked(0)
  var total: Int { reads.withLock { $0 } }

  func contents(of url: URL) throws(NetworkError) -> Data {
    reads.withLock { $0 += 1 }
    return Sample.png.bytes
  }

  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation { unused() }
  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation { unused() }
  func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation { unused() }

  private func unused() -> Never { preconditionFailure("A blocking strategy starts no task") }
}

/// A network that releases reads in groups of three and counts how many wait at once.
private final class CountingLoader: NetworkLoader {
  private struct State {
    var now = 0
    var most = 0
    var total = 0
    var waiting: [any Gate] = []
  }
  private let state = Locked(State())

  var most: Int { state.withLock { $0.most } }
  var total: Int { state.withLock { $0.total } }

  func contents(of url: URL) throws(NetworkError) -> Data {
    let gate = DispatchRuntime.shared.gate()
    let group = state.withLock { state -> [any Gate] in
      state.now += 1
      state.total += 1
      state.most = max(state.most, state.now)
      state.waiting.append(gate)
      guard state.waiting.count == 3 else { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
    for member in group { member.open() }
    gate.wait()
    state.withLock { $0.now -= 1 }
    return Sample.png.bytes
  }

  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation { unused() }
  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation { unused() }
  func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation { unused() }

  private func unused() -> Never { preconditionFailure("A blocking strategy starts no task") }
}
