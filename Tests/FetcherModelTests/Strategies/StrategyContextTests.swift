import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Testing
import VirtualTime

/// What a closure does with the context of its environment.
@Suite(.timeLimit(.minutes(2))) struct StrategyContextTests {
  private let held = HeldStrategy("other")

  /// Returns an image whose strategy sends its requests with the held one.
  private func image() -> IFImage {
    let environment = FetchEnvironment(
      bus: EventBus(runtime: TrackedRuntime()), headers: ["X-Token": "secret"],
      strategy: .closure("mine") { [held] request, context in
        try await context.strategy(StrategyFactory { _ in held }).fetch(request)
      }, limits: FetchLimits(deadline: nil))
    return IFImage(name: "a", url: "https://example.org/a.png", in: environment)
  }

  @Test("A closure passes its request with the header fields on to another strategy, and returns what it brings")
  func forwarding() async throws {
    let image = image()
    image.startLoading()
    await held.begun(1)
    #expect(held.requests[0].headers["x-token"] == "secret")
    held.end(0, with: Sample.png.bytes)
    #expect(try await image.load().format == .png)
    image.startReloading()
    await held.begun(2)
    held.end(1, with: .failure(.truncated))
    await #expect(throws: FetchError.truncated) { try await image.reload() }
  }

  @Test("Cancelling an image cancels the fetch of the strategy to which its closure passes the request on")
  func cancelling() async {
    let image = image()
    image.startLoading()
    await held.begun(1)
    image.cancel()
    while held.cancels == 0 { await Task.yield() }
    #expect(held.cancels == 1 && image.state == .idle)
  }

  @Test("A wait of a closure ends on the runtime of its environment, or with a cancellation") func sleeping() {
    let runtime = ManualRuntime()
    let environment = FetchEnvironment(
      bus: EventBus(runtime: runtime),
      strategy: .closure("slow") { _, context in
        try await context.sleep(for: .seconds(2))
        return FetchedBody(bytes: Sample.png.bytes)
      })
    let image = IFImage(name: "a", url: "https://example.org/a.png", in: environment)
    image.startLoading()
    runtime.advance(by: .milliseconds(1999))
    #expect(image.isFetching)
    runtime.advance(by: .milliseconds(1))
    #expect(image.picture?.format == .png)
    image.startReloading()
    runtime.runReady()
    image.cancel()
    runtime.runReady()
    #expect(runtime.isIdle)
  }

  @Test("A context has one strategy of a built-in factory, and creates a new one of any other factory on each call")
  func builtIn() {
    struct NoReads: NetworkLoader {
      struct Nothing: Cancellation { func cancel() {} }
      func contents(of url: URL) throws(NetworkError) -> Data { throw .unknown }
      func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation { Nothing() }
      func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation { Nothing() }
    }
    let context = StrategyContext(runtime: ManualRuntime(), loader: NoReads())
    let calls = Locked(0)
    let make: @Sendable (StrategyContext) -> any FetchStrategy = { _ in
      calls.withLock { $0 += 1 }
      return HeldStrategy()
    }
    let (builtIn, other) = (StrategyFactory(builtIn: "mine", make), StrategyFactory(make))
    #expect(context.strategy(builtIn) as? HeldStrategy === context.strategy(builtIn) as? HeldStrategy)
    #expect(calls.withLock { $0 } == 1)
    #expect(context.strategy(other) as? HeldStrategy !== context.strategy(other) as? HeldStrategy)
  }

  @Test("The message of headersUnsent names the capability, unless the strategy has no other choice") func message() {
    #expect("\(FetchError.headersUnsent(strategy: "mine"))".contains("declare sendsHeaders"))
    #expect(!"\(FetchError.headersUnsent(strategy: .blocking))".contains("declare"))
  }
}
