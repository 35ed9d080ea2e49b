import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import Synchronization
import Testing

extension NetworkSuite {
  /// The contract of ``FetchStrategy``, checked for each strategy without the model.
  @Suite struct ContractTests {
    @Test("A fetch completes once, with the bytes of the body", arguments: Workbench.strategies)
    func completesOnce(strategy: StrategyName) async throws {
      let workbench = try Workbench(strategy)
      let ends = Ends()
      let handle = workbench.environment.strategy.fetch(try workbench.request("/a.png"), completion: ends.take)
      #expect(try await ends.first().get().bytes == Sample.png.bytes)
      handle.cancel()
      handle.cancel()
      await settle(workbench.environment)
      #expect(ends.count == 1)
    }

    @Test(
      "A fetch that is cancelled repeatedly completes once with the cancelled error",
      arguments: Workbench.strategies)
    func cancelledOnce(strategy: StrategyName) async throws {
      let stalled = OriginRoute(path: "/x", OriginResponse(body: .bytes(100), fault: .stall(after: 10)))
      let workbench = try Workbench(strategy, [stalled])
      let ends = Ends()
      let handle = workbench.environment.strategy.fetch(try workbench.request("/x"), completion: ends.take)
      await workbench.requests(1)
      handle.cancel()
      handle.cancel()
      let result = await ends.first()
      #expect(result == .failure(.cancelled))
      workbench.origin.stop()
      await settle(workbench.environment)
      #expect(ends.count == 1)
    }

    @Test("A fetch that is cancelled immediately completes once", arguments: Workbench.strategies)
    func cancelledAtOnce(strategy: StrategyName) async throws {
      let workbench = try Workbench(strategy)
      for _ in 0..<50 {
        let ends = Ends()
        workbench.environment.strategy.fetch(try workbench.request("/a.png"), completion: ends.take).cancel()
        let result = await ends.first()
        #expect(try result == .failure(.cancelled) || result.get().bytes == Sample.png.bytes)
        #expect(ends.count == 1)
      }
    }

    @Test(
      "A strategy that declares progress reports it up to the whole length", arguments: Workbench.strategies)
    func progress(strategy: StrategyName) async throws {
      let workbench = try Workbench(
        strategy, [OriginRoute(path: "/x", OriginResponse(body: .bytes(300_000), bytesPerSecond: 3_000_000))])
      let last = Locked((received: 0, expected: 0, isRising: true))
      var request = try workbench.request("/x")
      request.progress = { received, expected in
        last.withLock { last in
          last = (received, expected ?? -1, last.isRising && received >= last.received)
        }
      }
      let ends = Ends()
      _ = workbench.environment.strategy.fetch(request, completion: ends.take)
      #expect(try await ends.first().get().bytes.count == 300_000)
      let (received, expected, isRising) = last.withLock { $0 }
      #expect(isRising)
      if workbench.environment.strategy.capabilities.reportsProgress {
        #expect(received == 300_000)
        #expect(expected == 300_000 || strategy == "downloadTask" && expected == -1)
      } else {
        #expect(received == 0)
      }
    }

    @Test(
      "A strategy reports a status if and only if it declares that it sees statuses", arguments: Workbench.strategies)
    func status(strategy: StrategyName) async throws {
      let workbench = try Workbench(strategy)
      let ends = Ends()
      _ = workbench.environment.strategy.fetch(try workbench.request("/a.png"), completion: ends.take)
      let body = try await ends.first().get()
      #expect((body.status == 200) == workbench.environment.strategy.capabilities.seesStatus)
    }

    @Test(
      "A strategy that sees the response ends a body beyond the limit during streaming",
      arguments: Workbench.seeing)
    func endedWhileStreaming(strategy: StrategyName) async throws {
      // The body is paced, because Foundation on Linux processes a cancel only when there is nothing to read.
      let endless = OriginResponse(body: .bytes(1 << 30), bytesPerSecond: 5_000_000, chunked: true)
      let workbench = try Workbench(
        strategy, [OriginRoute(path: "/x", endless)],
        limits: FetchLimits(maximumBytes: 1 << 18, deadline: FetchLimits.longDeadline))
      let (image, _) = await workbench.fetch("/x")
      #expect(image.state == .failed(.tooLarge))
      await wait(workbench.environment) { workbench.origin.counters.open == 0 }
      #expect(workbench.origin.counters.bytesSent < 1 << 28)
    }
  }
}

/// The collected results of a fetch, even if it completes repeatedly.
private final class Ends: Sendable {
  private struct State {
    var results: [Result<FetchedBody, FetchError>] = []
    var waiter: CheckedContinuation<Result<FetchedBody, FetchError>, Never>?
  }
  private let state = Locked(State())

  var count: Int { state.withLock { $0.results.count } }

  @Sendable func take(_ result: Result<FetchedBody, FetchError>) {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      state.results.append(result)
      return state.waiter
    }
    waiter?.resume(returning: result)
  }

  func first() async -> Result<FetchedBody, FetchError> {
    await withCheckedContinuation { continuation in
      let result = state.withLock { state in
        if state.results.isEmpty { state.waiter = continuation }
        return state.results.first
      }
      if let result { continuation.resume(returning: result) }
    }
  }
}

extension Workbench {
  fileprivate func request(_ path: String) throws -> FetchRequest {
    FetchRequest(url: try environment.policy.url(address(path)), limits: environment.limits)
  }
}
