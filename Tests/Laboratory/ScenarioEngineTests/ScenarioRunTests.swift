import EventBus
import Foundation
import OriginServer
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

extension RunsOverSockets {
  /// Scenarios on the real clock, over a real socket. They run serially, because some block main or a worker.
  @Suite(.serialized) struct ScenarioRunTests {
    private static let images = #"""
      "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}, {"id": "C", "path": "/a.png"}]
      """#

    /// Runs a scenario with these members.
    private func run(
      _ members: String, _ strategy: String = "dataTask", folder: URL = packageRoot
    ) async throws -> (outcome: ScenarioOutcome, record: RunRecord) {
      let file = SampleScenario.file(#"{"scenario": 1, "name": "x", \#(Self.images), \#(members)}"#)
      let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
      let origin = try OriginServer(content: OriginContent())
      let runner = ScenarioRunner(
        scenario: scenario, folder: folder, origin: origin, runtime: UncrowdedRuntime(), timeout: .seconds(120))
      let record = await runner.run(strategy)
      return (ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .real, record), record)
    }

    @Test("A strategy switch after an awaited event applies to the next fetch")
    func switching() async throws {
      let (outcome, _) = try await run(
        #"""
        "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
                  {"after": {"event": "fetch.done", "image": "A"}, "do": "switch", "strategy": "async"},
                  {"at": "0ms", "do": "select", "image": "B"}],
        "expect": [{"count": {"event": "fetch.done", "image": "A", "strategy": "dataTask", "equals": 1}},
                   {"count": {"event": "fetch.done", "image": "B", "strategy": "async", "equals": 1}},
                   {"order": [{"event": "fetch.done", "image": "A"}, {"event": "strategy.switch"},
                              {"event": "view.select", "image": "B"}]},
                   {"final": {"detail.shown": "B", "B.state": "loaded", "detail.visible": true}}]
        """#)
      #expect(outcome.failures == [])
    }

    @Test("The step after `wait-idle` begins only when nothing is in flight")
    func waitIdle() async throws {
      let (outcome, _) = try await run(
        #"""
        "origin": {"routes": [{"path": "/a.png", "responses": [{"latency": "50ms"}]}]},
        "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
                  {"at": "0ms", "do": "wait-idle"}, {"at": "0ms", "do": "note", "text": "now"}],
        "expect": [{"order": [{"event": "fetch.done", "image": "A"}, {"event": "note", "text": "now"}]}]
        """#)
      #expect(outcome.failures == [])
    }

    @Test(
      "A cancelled fetch ends once, as cancelled, and its image returns to idle",
      arguments: Vocabulary.shipped.strategies)
    func cancelling(_ strategy: String) async throws {
      let (outcome, _) = try await run(
        #"""
        "origin": {"routes": [{"path": "/a.png", "responses": [{"latency": "1s"}]}]},
        "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A", "id": "a"},
                  {"after": {"event": "request.begin"}, "do": "cancel", "image": "A"}],
        "expect": [{"outcome": {"image": "A", "is": "cancelled"}}, {"final": {"A.state": "idle"}},
                   {"count": {"event": "fetch.cancelled", "image": "A", "equals": 1}}]
        """#, strategy)
      #expect(outcome.failures == [])
    }

    @Test(
      "Every fault ends the fetch with the matching error category",
      arguments: [
        (#"{"fault": "refuse"}"#, "transport"), (#"{"fault": "close-before-headers"}"#, "transport"),
        (#"{"fault": "truncate", "after": 40}"#, "truncated"), (#"{"status": 503}"#, "badStatus"),
        (#"{"body": {"bytes": 0}}"#, "emptyBody"), (#"{"body": {"json": {"no": "picture"}}}"#, "notAnImage"),
      ])
    func faults(_ response: String, _ category: String) async throws {
      let (outcome, _) = try await run(
        #"""
        "origin": {"routes": [{"path": "/a.png", "responses": [\#(response)]}]},
        "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
        "expect": [{"outcome": {"image": "A", "is": "error:\#(category)"}},
                   {"final": {"detail.shown": "placeholder", "A.state": "failed"}}]
        """#)
      #expect(outcome.failures == [])
    }

    @Test("An origin step changes the responses of one path and keeps the progress of the others")
    func changingTheOrigin() async throws {
      let (outcome, _) = try await run(
        #"""
        "origin": {"routes": [{"path": "/a.png", "responses": [{"status": 404}]},
                              {"path": "/b.png", "responses": [{"status": 404}, {"status": 410}, {"body": "B"}]}]},
        "steps": [{"at": "0ms", "do": "appear"},
                  {"at": "0ms", "do": "select", "image": "A"}, {"at": "0ms", "do": "wait-idle"},
                  {"at": "0ms", "do": "select", "image": "B"}, {"at": "0ms", "do": "wait-idle"},
                  {"at": "0ms", "do": "origin", "path": "/a.png", "responses": [{"body": "A"}]},
                  {"at": "0ms", "do": "select", "image": "B"}, {"at": "0ms", "do": "wait-idle"},
                  {"at": "0ms", "do": "select", "image": "A"}],
        "expect": [{"count": {"event": "request.end", "image": "B", "status": 404, "equals": 1}},
                   {"count": {"event": "request.end", "image": "B", "status": 410, "equals": 1}},
                   {"final": {"detail.shown": "A"}}]
        """#)
      #expect(outcome.failures == [])
    }

    @Test("A published event reaches only the current subscribers of its topic")
    func publishing() async throws {
      let (outcome, _) = try await run(
        #"""
        "steps": [{"at": "0ms", "do": "subscribe", "subscriber": "one", "topic": "saved"},
                  {"at": "0ms", "do": "subscribe", "subscriber": "two", "topic": "saved", "delivery": "workers"},
                  {"at": "0ms", "do": "publish", "topic": "saved", "lane": "workers"},
                  {"after": {"event": "bus.deliver", "subscriber": "one"}, "do": "unsubscribe", "subscriber": "one"},
                  {"after": {"event": "bus.unsubscribe", "subscriber": "one"}, "do": "publish", "topic": "saved"},
                  {"at": "10ms", "do": "publish", "topic": "lost"}],
        "expect": [{"count": {"event": "bus.deliver", "subscriber": "one", "lane": "main", "equals": 1}},
                   {"count": {"event": "bus.deliver", "subscriber": "two", "lane": "workers", "equals": 2}},
                   {"count": {"event": "bus.post", "topic": "lost", "equals": 1}}]
        """#)
      #expect(outcome.failures == [])
    }

    @Test("A run ends only after late workers have delivered every event", arguments: 1...3)
    func lateWorkers(_ late: Int) async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x",
         "steps": [{"at": "0ms", "do": "subscribe", "subscriber": "one", "topic": "saved", "delivery": "workers"},
                   {"at": "0ms", "do": "subscribe", "subscriber": "two", "topic": "saved", "delivery": "workers"},
                   {"at": "0ms", "do": "publish", "topic": "saved", "lane": "workers"}],
         "expect": [{"count": {"event": "bus.deliver", "equals": 2}}]}
        """#)
      let scenario = try #require(file.scenario)
      let origin = try OriginServer(content: OriginContent())
      let runtime = LateRuntime(UncrowdedRuntime(), late: late, by: .milliseconds(50))
      let runner = ScenarioRunner(
        scenario: scenario, folder: packageRoot, origin: origin, runtime: runtime, timeout: .seconds(120))
      let record = await runner.run("dataTask")
      let outcome = ScenarioOutcome(of: scenario, file.source, strategy: "dataTask", clock: .real, record)
      #expect(outcome.failures.map(\.message) == [])
    }

    @Test("A dropped image comes back from the cache, until a memory warning empties the cache")
    func dropping() async throws {
      let (outcome, record) = try await run(
        #"""
        "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
                  {"at": "0ms", "do": "wait-idle"}, {"at": "0ms", "do": "drop-model", "image": "A"},
                  {"at": "0ms", "do": "select", "image": "A"}, {"at": "0ms", "do": "drop-model"},
                  {"at": "0ms", "do": "memory-warning"}, {"at": "0ms", "do": "select", "image": "A"}],
        "expect": [{"count": {"event": "request.begin", "image": "A", "equals": 2}},
                   {"count": {"event": "cache.hit", "image": "A", "equals": 1}},
                   {"final": {"detail.shown": "A"}}, {"leaks": {}}]
        """#)
      #expect(outcome.failures == [])
      #expect(record.leaks == Scenario.Leaks())
    }

    @Test("A body file that two images share counts as the picture of each")
    func fileBodies() async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "bodies-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try PatternPicture(seed: 9, width: 3, height: 3).png.write(to: folder.appending(path: "nine.png"))
      let (outcome, _) = try await run(
        #"""
        "origin": {"routes": [{"path": "/a.png", "responses": [{"body": {"file": "nine.png"}}]}]},
        "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
                  {"at": "0ms", "do": "wait-idle"}, {"at": "0ms", "do": "select", "image": "C"}],
        "expect": [{"outcome": {"image": "A", "is": "loaded"}}, {"final": {"detail.shown": "C"}},
                   {"order": [{"event": "ui.update", "shown": "A"}, {"event": "ui.update", "shown": "C"}]}]
        """#, folder: folder)
      #expect(outcome.failures.map(\.message) == [])
    }

    @Test("A failed expectation names its location in the file, and the event and time of the failure")
    func failing() async throws {
      let (outcome, record) = try await run(
        #"""
        "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
        "expect": [{"final": {"detail.shown": "B"}, "why": "B was never chosen."},
                   {"count": {"event": "fetch.done", "atLeast": 2}}]
        """#)
      let last = try #require(record.events.lastIndex { $0.kind == .uiUpdate })
      try #require(outcome.failures.count == 2)
      #expect(
        outcome.failures[0].message
          == "final detail.shown: expected \"B\", got \"A\" "
          + "(event \(last + 1), t = \(record.events[last].time.inMilliseconds) ms)")
      #expect(outcome.failures[0].why == "B was never chosen.")
      #expect(outcome.failures[1].message == "count fetch.done: expected at least 2, got 1")
      #expect(outcome.failures.map { [$0.line, $0.column] } == [[2, 12], [3, 12]])
    }

    @Test("A step whose awaited event never happens ends the run when the timeout expires")
    func waitingInVain() async throws {
      let text = #"""
        {"scenario": 1, "name": "x", \#(Self.images),
         "steps": [{"after": {"event": "fetch.done", "image": "A"}, "do": "appear"}]}
        """#
      let file = SampleScenario.file(text)
      let scenario = try #require(file.scenario)
      let origin = try OriginServer(content: OriginContent())
      let runner = ScenarioRunner(
        scenario: scenario, folder: packageRoot, origin: origin, runtime: UncrowdedRuntime(),
        timeout: .milliseconds(50))
      let record = await runner.run("dataTask")
      #expect(record.termination == .waitingTooLong(step: 0))
      let outcome = ScenarioOutcome(of: scenario, file.source, strategy: "dataTask", clock: .real, record)
      #expect(
        outcome.failures.map(\.message) == [
          "step 1 of the file: it waits for fetch.done image=A, which did not happen; "
            + "the run was cut off after \(record.duration.inMilliseconds) ms"
        ])
    }

    @Test("A run that is cut off fails and names its pending work")
    func cutOff() async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", \#(Self.images),
         "origin": {"default": {"latency": "50s"}},
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
         "expect": [{"count": {"event": "request.end", "equals": 0}}, {"never": {"event": "fetch.failed"}}]}
        """#)
      let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
      let origin = try OriginServer(content: OriginContent())
      let runner = ScenarioRunner(
        scenario: scenario, folder: packageRoot, origin: origin, runtime: UncrowdedRuntime(),
        timeout: .milliseconds(100))
      let record = await runner.run("blocking")
      let outcome = ScenarioOutcome(of: scenario, file.source, strategy: "blocking", clock: .real, record)
      #expect(
        outcome.failures.map(\.message) == [
          "end: the run was cut off after \(record.duration.inMilliseconds) ms; "
            + #"still in flight: the fetch of "A"; shorten the scenario, or exclude the real clock with "clocks": ["virtual"]"#
        ])
    }

    @Test("A run reports a stall if main is busy for too long")
    func stalls() async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "steps": [{"at": "0ms", "do": "note", "text": "."}, {"at": "60ms", "do": "wait-idle"}],
         "expect": [{"stall": {"atMost": "30ms"}}]}
        """#)
      let scenario = try #require(file.scenario)
      let origin = try OriginServer(content: OriginContent())
      let runner = ScenarioRunner(
        scenario: scenario, folder: packageRoot, origin: origin, runtime: UncrowdedRuntime(), timeout: .seconds(120))
      // A clock bounds the busy loop, so that a slow machine does not shorten it. The loop is long enough for the watch
      // to probe main meanwhile, even from a late worker.
      let runtime = DispatchRuntime.shared
      _ = runtime.main.schedule(after: .milliseconds(10)) {
        let end = runtime.now + .milliseconds(500)
        while runtime.now < end {}
      }
      let record = await runner.run("dataTask")
      let outcome = ScenarioOutcome(of: scenario, file.source, strategy: "dataTask", clock: .real, record)
      #expect(outcome.failures.map(\.expectation) == ["stall of main"])
    }
  }
}
