import EventBus
import FetcherModel
import Foundation
import OriginServer
import ScenarioEngine
import TestMachine
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Scenarios run inside a package's own tests") struct EngineExamples {
  /// A strategy that forwards to another strategy under a different name.
  private struct HeadlessStrategy: FetchStrategy {
    let base: any FetchStrategy
    let name: StrategyName = "headless"
    var capabilities: StrategyCapabilities { base.capabilities }

    func fetch(
      _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
    ) -> any Cancellation {
      base.fetch(request, completion: completion)
    }
  }

  /// A strategy that sends its request after 200 ms.
  private struct PatientStrategy: FetchStrategy {
    let base: any FetchStrategy
    let timers: any Scheduler
    let name: StrategyName = "patient"
    var capabilities: StrategyCapabilities { base.capabilities }

    func fetch(
      _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
    ) -> any Cancellation {
      timers.schedule(after: .milliseconds(200)) { _ = base.fetch(request, completion: completion) }
    }
  }

  /// A strategy that fails every fetch with `emptyBody`, even if the picture arrives.
  private struct HastyStrategy: FetchStrategy {
    let base: any FetchStrategy
    let name: StrategyName = "hasty"
    var capabilities: StrategyCapabilities { base.capabilities }

    func fetch(
      _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
    ) -> any Cancellation {
      base.fetch(request) { _ in completion(.failure(.emptyBody)) }
    }
  }

  private let scenarios = packageRoot.appending(path: "scenarios")

  @Test("A test validates a scenario, runs it with each shipped strategy and judges the runs") func text() throws {
    // snippet
    let scenario = try VirtualScenario(
      """
      {
        "scenario": 1, "name": "late-answer",
        "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
        "origin": {"routes": [{"path": "/a.png", "responses": [{"latency": "300ms"}]}]},
        "steps": [
          {"at": "0ms", "do": "appear"},
          {"at": "10ms", "do": "select", "image": "A"},
          {"at": "50ms", "do": "select", "image": "B"}
        ],
        "expect": [{"final": {"detail.shown": "B"}, "why": "The last selection counts."}]
      }
      """)
    for strategy in ["blocking", "dataTask", "downloadTask", "async", "socket"] {
      let run = try scenario.run(strategy)
      #expect(run.outcome.ok, "\(run.timeline.joined(separator: "\n"))")
    }
    // end
    #expect(scenario.name == "late-answer")
    #expect(scenario.strategies == ["dataTask"])
    #expect(throws: InvalidScenario.self) { try scenario.run("dataTsk") }
  }

  @Test("A custom strategy replaces the planned one and appears under its own name") func ownStrategy() throws {
    // snippet
    let scenario = try VirtualScenario(contentsOf: scenarios.appending(path: "late-response.json"))
    let run = scenario.run { HeadlessStrategy(base: $0.strategy(.dataTask)) }
    #expect(run.outcome.failures == [])
    // end
    #expect(run.outcome.strategy == "headless")
    #expect(run.timeline.contains { $0.contains("fetch.start A headless") })
  }

  @Test("A strategy that loses pictures fails the scenario, with the reason and the event")
  func brokenStrategy() throws {
    let scenario = try VirtualScenario(contentsOf: scenarios.appending(path: "late-response.json"))
    let run = scenario.run { HastyStrategy(base: $0.strategy(.dataTask)) }
    #expect(!run.outcome.ok)
    #expect(run.outcome.failures.first?.why == "The view must show the last selection, not the last response.")
    #expect(run.timeline.contains { $0.hasPrefix("  ^ ") })
  }

  @Test("A run fails and names a strategy that calls URLSession directly")
  func foreignNetwork() throws {
    let scenario = try VirtualScenario(contentsOf: scenarios.appending(path: "late-response.json"))
    let silent = try OriginServer(
      content: OriginContent(routes: [
        OriginRoute(path: "/a.png", OriginResponse(body: .bytes(100), fault: .stall(after: 10)))
      ]))
    let address = silent.baseURL.appending(path: "a.png")
    let own = StrategyFactory.closure("own") { _ in
      FetchedBody(bytes: try await URLSession.shared.data(from: address).0)
    }
    let run = scenario.run { $0.strategy(own) }
    #expect(
      run.outcome.failures.map(\.message) == [
        "network: the strategy \"own\" did not use the run's network; send each request through the loader that the "
          + "strategy receives, or run the scenario with --clock real"
      ])
  }

  @Test("A strategy may wait before its first request")
  func waitingStrategy() throws {
    let scenario = try VirtualScenario(contentsOf: scenarios.appending(path: "cancel-in-time.json"))
    let run = scenario.run {
      PatientStrategy(base: $0.strategy(.dataTask), timers: $0.runtime.serial("timers"))
    }
    #expect(run.outcome.failures.filter { $0.expectation == "network" } == [])
  }

  @Test("A custom strategy also runs with the pages of a system") func system() throws {
    let scenario = try VirtualScenario(contentsOf: scenarios.appending(path: "system-photorama.json"))
    let run = scenario.run { HeadlessStrategy(base: $0.strategy(.dataTask)) }
    #expect(run.outcome.failures == [])
    #expect(run.timeline.contains { $0.contains(" headless") })
  }

  @Test("An error explains a mistake, a missing file and a scenario that excludes the virtual clock") func mistakes()
    throws
  {
    // snippet
    let error = #expect(throws: InvalidScenario.self) {
      try VirtualScenario(#"{"scenario": 1, "name": "x", "steps": [{"at": "5", "do": "appear"}]}"#)
    }
    print(error?.description ?? "")  // error[E14]: a duration needs a unit, with the line and marks below it
    // end
    #expect(error?.description.hasPrefix("error[E14]: a duration needs a unit\n") == true)
    #expect(error?.description.contains("^^^ write \"5s\" if the number is in seconds, or \"5ms\"") == true)
    let missing = #expect(throws: InvalidScenario.self) {
      try VirtualScenario(contentsOf: scenarios.appending(path: "late-respons.json"))
    }
    #expect(missing?.description.hasSuffix("the file does not exist; did you mean \"late-response.json\"?") == true)
    let real = #expect(throws: InvalidScenario.self) {
      try VirtualScenario(#"{"scenario": 1, "name": "x", "clock": "real", "clocks": ["real"], "steps": []}"#)
    }
    #expect(real?.description.contains("excludes the virtual clock") == true)
  }
}
