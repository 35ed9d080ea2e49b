import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import SocketStrategy
import TestMachine
import Testing

extension NetworkSuite {
  @Suite struct FaultTests {
    /// All strategies with all faults. By default, the three that differ only in their kind of `URLSession` task take turns,
    /// except for a fault with a separate outcome for `downloadTask`. The slow close, in which Foundation keeps a core busy for a
    /// second, runs with only two strategies.
    private static let cases: [(StrategyName, Fault)] = FaultTable.all.enumerated().flatMap { number, fault in
      if LongTests.areEnabled { return Workbench.strategies.map { ($0, fault) } }
      if fault.name == "slow close" { return [("dataTask", fault), ("socket", fault)] }
      let alike: [StrategyName] = ["dataTask", "downloadTask", "async"]
      return Workbench.strategies.filter { strategy in
        !alike.contains(strategy) || strategy == alike[number % alike.count]
          || strategy == "downloadTask" && fault.download != nil
      }.map { ($0, fault) }
    }

    @Test("Each fault ends the fetch as its table row states, with one terminal event", arguments: cases)
    func faultEndsAsTheTableSays(strategy: StrategyName, fault: Fault) async throws {
      let scene = try FaultScene(fault, strategy)
      let outcome = await scene.fetch()
      #expect(outcome == fault.expected(strategy))
      let end = outcome == .picture ? "fetched" : "failed"
      #expect(scene.events.kinds == ["started", end])
      #expect(scene.events.last?.isFetching == false)
      #expect(!scene.image.isFetching)
      #expect(scene.workbench.environment.requestCount == 0)

      scene.heal()
      if outcome == .picture {
        #expect(scene.image.image.bytes == Sample.png.bytes)
      } else {
        #expect(scene.image.image.isPlaceholder)
        await scene.events.ended(2)
        #expect(scene.events.kinds == ["started", end, "started", scene.canHeal ? "fetched" : "failed"])
      }
      try await scene.nothingStays()
    }

    @Test("A fetch whose deadline passes closes its connection", arguments: Workbench.seeing)
    func aDeadlineClosesTheConnection(strategy: StrategyName) async throws {
      let stalled = OriginResponse(body: .bytes(1000), fault: .stall(after: 10))
      let workbench = try Workbench(
        strategy, [OriginRoute(path: "/x", stalled)], limits: FetchLimits(deadline: .milliseconds(200)))
      let (image, _) = await workbench.fetch("/x")
      #expect(image.state == .failed(.timedOut))
      await wait(workbench.environment) { workbench.origin.counters.open == 0 }
      #expect(workbench.origin.counters.open == 0)
    }

    /// In each stall, Foundation keeps a core busy for a second. By default, two stalls cover both kinds of strategies and both
    /// lengths.
    private static let stalls: [(StrategyName, Int)] =
      [("dataTask", 10), ("socket", 40_000)]
      + (LongTests.areEnabled ? [("dataTask", 40_000), ("async", 10), ("async", 40_000), ("socket", 10)] : [])

    @Test("A fetch that fails with a bad status closes its connection if the error page stalls", arguments: stalls)
    func aPageThatStalls(strategy: StrategyName, after: Int) async throws {
      let stalled = OriginResponse(status: 404, body: .bytes(60_000), fault: .stall(after: after))
      let workbench = try Workbench(strategy, [OriginRoute(path: "/x", stalled)], limits: FetchLimits(deadline: nil))
      let (image, _) = await workbench.fetch("/x")
      #expect(image.state == .failed(.badStatus(404)))
      await wait(workbench.environment) { workbench.origin.counters.open == 0 }
      #expect(workbench.origin.counters.open == 0)
    }

    @Test(
      "A short error page is read to its end after the fetch has failed, so that the connection is reused",
      arguments: ["dataTask", "socket"])
    func aShortPageRunsOut(strategy: StrategyName) async throws {
      let missing = OriginResponse(status: 404, body: .bytes(5000), bytesPerSecond: 50_000)
      let workbench = try Workbench(strategy, [OriginRoute(path: "/x", missing)])
      let environment = workbench.environment
      let loader = WatchingLoader()
      environment.use(
        strategy == .socket
          ? SocketStrategy(runtime: environment.runtime, loader: loader)
          : DataTaskStrategy(runtime: environment.runtime, loader: loader))
      let (image, _) = await workbench.fetch("/x")
      #expect(image.state == .failed(.badStatus(404)))
      await wait(environment) { !loader.ends.isEmpty }
      #expect(loader.ends == [nil], "the task must not be cancelled")
      _ = await workbench.fetch()
      #expect(workbench.origin.counters.connections == 1)
    }

    @Test(
      "Foundation's strategies reject an IPv6 address and suggest localhost",
      arguments: Workbench.ofFoundation)
    func bracketsAreRefused(strategy: StrategyName) async throws {
      #if os(Linux)
        let workbench = try Workbench(strategy)
        let image = IFImage(name: "six", url: "http://[::1]:1/a.png", in: workbench.environment)
        let events = EventRecorder(image, in: workbench.environment)
        _ = image.image
        await events.ended()
        #expect(image.state == .failed(.transport(-1000)))
        #expect(events.last?.error?.message(for: "six").contains("localhost") == true)
      #endif
    }

    @Test("The fault table contains every required fault and no duplicates")
    func everyFaultOnce() {
      let names = FaultTable.all.map(\.name)
      #expect(Set(names).count == names.count)
      let required = [
        "refused", "DNS failure", "closed before headers", "reset mid-body", "body shorter than Content-Length",
        "stall",
        "one byte per interval", "204", "301 without Location", "redirect", "redirect loop",
        "redirect to another scheme", "401 with a challenge", "404", "500", "503 then 200", "empty 200",
        "HTML as image/jpeg", "truncated JPEG", "truncated PNG", "larger than the limit", "chunked body",
        "no Content-Length", "wrong Content-Type", "very long header", "broken status line",
      ]
      #expect(Set(required).subtracting(names) == [])
    }
  }
}

/// One fault set up for one strategy.
private struct FaultScene {
  let workbench: Workbench
  let image: IFImage
  let events: EventRecorder
  let canHeal: Bool
  private let runtime = DeadlineRuntime()
  /// Whether only the deadline ends the fetch.
  private let isEndless: Bool

  init(_ fault: Fault, _ strategy: StrategyName) throws {
    let policy = TransportPolicy(allowsArbitraryLoads: fault.isElsewhere)
    var responses: [OriginResponse] = []
    if case .answers(let scripted) = fault.place { responses = scripted }
    workbench = try Workbench(
      strategy, [OriginRoute(path: "/x", responses: responses)], policy: policy, limits: fault.limits, runtime: runtime)
    isEndless = fault.expected(strategy) == .failure(.timedOut)
    canHeal = !responses.isEmpty
    switch fault.place {
    case .answers: image = workbench.image("/x")
    case .refused:
      // No server listens on port 1.
      image = IFImage(name: "/x", url: "http://127.0.0.1:1/x", in: workbench.environment)
    case .unknownHost:
      // The label is too long for a DNS query, so the lookup fails without a network.
      let host = String(repeating: "nowhere", count: 10) + ".invalid"
      image = IFImage(name: "x", url: "http://\(host)/x", in: workbench.environment)
    }
    events = EventRecorder(image, in: workbench.environment)
  }

  func fetch() async -> Fault.Outcome? {
    _ = image.image
    if isEndless {
      await wait(workbench.environment) { workbench.origin.counters.bytesSent > 0 }
      runtime.pass()
    }
    await events.ended()
    return switch image.state {
    case .loaded: .picture
    case .failed(let error, _): .failure(error)
    case .idle, .fetching: nil
    }
  }

  /// Makes the origin send the picture from now on.
  func heal() {
    workbench.origin.replace(
      OriginContent(routes: [OriginRoute(path: "/x", OriginResponse(body: .data(Sample.png.bytes)))]))
  }

  /// Checks that the fetch left no temporary file and that the strategy still works.
  func nothingStays() async throws {
    let other = try Workbench(workbench.environment.strategy.name)
    let (image, events) = await other.fetch()
    #expect(image.image.bytes == Sample.png.bytes, "\(String(describing: events.last?.error))")
    try await Workbench.noTemporaryFiles()
  }
}

extension Fault {
  fileprivate var isElsewhere: Bool {
    if case .unknownHost = place { true } else { false }
  }
}
