import EventBus
import FetcherModel
import Foundation
import OriginServer
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

extension RunsOverSockets {
  /// Known situations give the same run on both clocks. A difference means that the simulated network has drifted from
  /// the real one.
  @Suite struct ClockTests {
    /// Compares the clocks for each strategy, and returns the runs on the real clock.
    ///
    /// The strategies run concurrently, because they mostly wait. If the scenario watches main, or a strategy blocks
    /// shared threads, it runs alone: concurrent runs would compete for time and threads.
    ///
    /// - Parameters:
    ///   - sharesThreads: whether the workers share the program's pool, instead of a thread for each closure.
    ///   - holds: a further condition that the run on the real clock must meet.
    @discardableResult
    private func compare(
      _ scenario: Scenario, _ strategies: [String], sharesThreads: Bool = false,
      holds: @escaping @Sendable (String, RunRecord) -> Bool = { _, _ in true }
    ) async throws -> [RunRecord] {
      let runtime: any Runtime = sharesThreads ? UncrowdedRuntime() : RoomyRuntime(UncrowdedRuntime())
      let play = { @Sendable (name: String) async throws -> ClockPair in
        var pair = ClockPair(scenario, name, runtime: runtime)
        try await pair.abandon(atMost: 20) { holds(name, $0) }
        return pair
      }
      let isWatched = scenario.expectations.contains { if case .stall = $0.kind { true } else { false } }
      let sociable = strategies.filter { !isWatched && !(sharesThreads && $0 == "blocking") }
      var pairs = try await withThrowingTaskGroup(of: ClockPair.self) { group in
        for name in sociable { group.addTask { try await play(name) } }
        return try await group.reduce(into: [String: ClockPair]()) { $0[$1.strategy] = $1 }
      }
      for name in strategies where pairs[name] == nil { pairs[name] = try await play(name) }
      return try strategies.map { strategy in
        let pair = try #require(pairs[strategy])
        #expect(pair.difference == nil, "\(strategy)")
        #expect(pair.virtual.termination == nil)
        return pair.real
      }
    }

    /// Returns the strategies to run: all in a long run, and otherwise one of those that are alike.
    private static func part(_ strategies: [String], _ text: String) -> [String] {
      LongTests.areEnabled ? strategies : RunsOverSockets.taking(turns: text, strategies)
    }

    @Test(
      "Each shipped scenario passes on the real clock and produces the same run on both clocks", .serialized,
      arguments: LongTests.some(of: ShippedScenario.comparable, every: 5))
    func shipped(_ shipped: ShippedScenario) async throws {
      let strategies = try Self.part(shipped.scenario.plannedStrategies, shipped.name)
      let records = try await compare(try shipped.scenario, strategies, sharesThreads: true) { strategy, record in
        (try? shipped.outcome(strategy, .real, record).ok) == true
      }
      for (strategy, record) in zip(strategies, records) {
        #expect(try shipped.outcome(strategy, .real, record).failures.map(\.message) == [], "\(strategy)")
      }
    }

    @Test(
      "A fetch with a fault or an unusual status ends the same way on both clocks",
      arguments: LongTests.some(
        of: [
          #"{"fault": "refuse"}"#, #"{"fault": "truncate", "after": 40}"#, #"{"status": 404}"#,
          #"{"status": 503, "body": {"bytes": 100}}"#, #"{"body": {"bytes": 0}}"#, #"{"body": {"bytes": 1000}}"#,
          #"{"status": 204}"#, #"{"chunks": 16}"#, #"{"bandwidth": 100000}"#, #"{"fault": "slow-close"}"#,
          #"{"fault": "close-before-headers"}"#, #"{"fault": "malformed-chunk"}"#, #"{"fault": "garbage"}"#,
          #"{"fault": "reset", "after": 5000}"#, #"{"fault": "reset", "after": 0}"#, #"{"fault": "truncate"}"#,
          #"{"status": 404, "fault": "truncate", "after": 5}"#, #"{"status": 404, "fault": "slow-close"}"#,
          #"{"fault": "malformed-chunk", "body": {"bytes": 0}}"#, #"{"body": {"file": "missing.png"}}"#,
          // The body ends before the fault's position, so the fault never occurs.
          #"{"fault": "truncate", "after": 60000}"#, #"{"fault": "reset", "after": 60000}"#,
          #"{"body": {"bytes": 9}, "fault": "truncate", "after": 9}"#,
          #"{"status": 204, "fault": "reset", "after": 5}"#,
          #"{"chunks": 100, "fault": "truncate", "after": 60000}"#, #"{"status": 204, "fault": "malformed-chunk"}"#,
          // A blocking read accepts these as complete responses.
          #"{"status": 300, "headers": {"Location": "/b.png"}}"#, #"{"status": 309}"#, #"{"status": 307}"#,
          #"{"status": 401}"#, #"{"status": 407}"#,
          #"{"status": 401, "headers": {"WWW-Authenticate": "Digest realm=\"x\", nonce=\"y\""}}"#,
          #"{"status": 401, "headers": {"WWW-Authenticate": "Basic realm=\"x\""}, "fault": "truncate", "after": 5}"#,
          // Redirects that fail before the client follows them, and the obsolete status 305.
          #"{"status": 302, "headers": {"Location": "/a.png"}, "fault": "truncate", "after": 5}, {}"#,
          #"{"status": 302, "headers": {"Location": "/a.png"}, "fault": "reset", "after": 5}, {}"#,
          #"{"status": 305, "headers": {"Location": "/a.png"}}, {}"#,
        ], every: 4))
    func faults(_ response: String) async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "origin": {"routes": [{"path": "/a.png", "responses": [\#(response)]}]},
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"}]}
        """#)
      try await compare(try #require(file.scenario), Self.part(Vocabulary.shipped.strategies, response))
    }

    @Test(
      "A fetch with a redirect ends the same way on both clocks",
      arguments: [
        #""Location": "/b.png""#, #""Location": "/a.png""#, #""Location": "/gone.png""#, #""X-No": "location""#,
        #""Location": "file:///etc/passwd""#, #""Location": "http://nowhere.invalid/b.png""#,
        #""Location": "http://127.0.0.1:1/b.png""#, #""Location": "https://127.0.0.1:1/b.png""#,
      ])
    func redirects(_ header: String) async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
         "origin": {"routes": [{"path": "/a.png", "responses": [{"status": 302, "headers": {\#(header)}}]}]},
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"}]}
        """#)
      try await compare(try #require(file.scenario), Self.part(Vocabulary.shipped.strategies, header))
    }

    @Test("Both clocks apply the latency and the bandwidth of the network to routes, phases and the default response")
    func network() async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "pool": {"model": "darwin", "limit": 64},
         "images": [{"count": 6, "id": "{n}", "path": "/{n}.png"}],
         "origin": {"default": {"latency": "60ms"}, "routes": [
           {"path": "/1.png", "responses": [{"latency": "60ms"}]},
           {"path": "/3.png", "responses": [{"status": 503, "body": {"bytes": 5000}, "fault": "truncate", "after": 9}]}]},
         "steps": [
           {"at": "0ms", "do": "network", "latency": "500ms", "bandwidth": 20000},
           {"repeat": 3, "every": "50ms", "steps": [
             {"at": "0ms", "do": "appear", "view": "v{n}"},
             {"at": "0ms", "do": "select", "image": "{n}", "view": "v{n}"}]},
           {"at": "250ms", "do": "network", "bandwidth": 40000},
           {"at": "250ms", "do": "appear", "view": "v4"},
           {"at": "250ms", "do": "select", "image": "4", "view": "v4"},
           {"at": "1500ms", "do": "origin", "all": [{"latency": "60ms"}]},
           {"at": "1500ms", "do": "network", "latency": "400ms"},
           {"at": "1500ms", "do": "select", "image": "5", "view": "v4"},
           {"at": "1600ms", "do": "network"},
           {"at": "1600ms", "do": "appear", "view": "v6"},
           {"at": "1600ms", "do": "select", "image": "6", "view": "v6"}]}
        """#)
      let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
      let strategies = Self.part(Vocabulary.shipped.strategies, "network")
      // The network is slow for 1 and 2, which arrive after 4. The latency of 5 outlasts the restored network of 6.
      let expected = ["4", "1", "2", "6", "5"]
      let done = { @Sendable (record: RunRecord) in
        record.events.filter { $0.kind == .fetchDone }.compactMap { $0[.image] }
      }
      let records = try await compare(scenario, strategies, holds: { done($1) == expected })
      for record in records + strategies.map(scenario.runVirtually) { #expect(done(record) == expected) }
    }

    @Test("A password challenge causes the same error on both clocks")
    func challenge() async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "origin": {"default": {"status": 401, "headers": {"WWW-Authenticate": "Basic realm=\"x\""}}},
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"}]}
        """#)
      // A blocking read would wait a minute for its deadline.
      try await compare(try #require(file.scenario), ["dataTask", "downloadTask", "async", "socket"])
    }

    @Test("On both clocks, a shared request is recorded for the image that started it")
    func sharedPaths() async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/a.png"}, {"id": "C", "path": "/a.png"}],
         "origin": {"default": {"body": "A", "latency": "100ms"}},
         "steps": [{"at": "0ms", "do": "appear", "view": "left"}, {"at": "0ms", "do": "appear", "view": "right"},
                   {"at": "10ms", "do": "select", "image": "C", "view": "left"},
                   {"at": "60ms", "do": "select", "image": "B", "view": "right"},
                   {"at": "300ms", "do": "memory-warning"}, {"at": "300ms", "do": "drop-model"},
                   {"at": "350ms", "do": "select", "image": "B", "view": "right"},
                   {"at": "400ms", "do": "select", "image": "C", "view": "left"}],
         "expect": [{"order": [{"event": "request.begin", "image": "C"}, {"event": "request.end", "image": "C"},
                               {"event": "request.begin", "image": "B"}, {"event": "request.end", "image": "B"}]},
                    {"count": {"event": "request.begin", "path": "/a.png", "equals": 2}},
                    {"count": {"event": "fetch.done", "equals": 4}}]}
        """#)
      let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
      for (strategy, real) in zip(
        Vocabulary.shipped.strategies, try await compare(scenario, Vocabulary.shipped.strategies))
      {
        for (clock, record) in [(Scenario.Clock.real, real), (.virtual, scenario.runVirtually(strategy))] {
          let outcome = ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: clock, record)
          #expect(outcome.failures.map(\.message) == [], "\(strategy) \(clock)")
        }
      }
    }

    @Test(
      "An expectation on a request matches the image that starts it, not another image with the same path",
      arguments: ["A", "C"])
    func expectedRequest(_ image: String) async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}, {"id": "C", "path": "/a.png"}],
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "C"}],
         "expect": [{"count": {"event": "request.begin", "image": "\#(image)", "equals": 1}}]}
        """#)
      guard image == "C" else { return #expect(file.diagnostics.map(\.code) == [.pointlessExpectation]) }
      let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
      let real = try #require(try await compare(scenario, ["dataTask"]).first)
      let outcome = ScenarioOutcome(of: scenario, file.source, strategy: "dataTask", clock: .real, real)
      #expect(outcome.failures == [])
    }

    @Test(
      "A path that refuses connections does so on both clocks, directly or after a redirect",
      arguments: [
        #""default": {"fault": "refuse"}"#,
        #""default": {"fault": "refuse"},"#
          + #""routes": [{"path": "/a.png", "responses": [{"status": 302, "headers": {"Location": "/else"}}]}]"#,
        #""routes": [{"path": "/a.png", "responses": [{"status": 302, "headers": {"Location": "/b.png"}}]},"#
          + #"{"path": "/b.png", "responses": [{"fault": "refuse"}]}]"#,
      ])
    func refusals(_ origin: String) async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}], "origin": {\#(origin)},
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"}]}
        """#)
      let records = try await compare(try #require(file.scenario), Vocabulary.shipped.strategies)
      for record in records { #expect(record.events.count { $0[.error] == "transport" } == 2) }
    }

    @Test("On both clocks, an unreachable origin refuses connections and later serves again")
    func refusingPhase() async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "program": "photorama", "steps": [
          {"at": "0ms", "do": "origin", "all": [{"fault": "refuse"}]},
          {"at": "0ms", "do": "appear", "view": "photos"}, {"at": "0ms", "do": "wait-idle"},
          {"at": "0ms", "do": "origin", "all": []},
          {"at": "0ms", "do": "tap", "control": "reload", "view": "photos"}]}
        """#, vocabulary: .shipped)
      let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
      for (strategy, record) in zip(
        Vocabulary.shipped.strategies, try await compare(scenario, Vocabulary.shipped.strategies))
      {
        let texts = record.events.filter { $0[.error] != nil && $0.kind == .pageShow }.compactMap { $0[.text] }
        #expect(texts.count == 2, "\(texts)")
        let code = strategy == "blocking" ? "code 256" : "code -1004, cannot connect"
        #expect(texts.first?.contains(code) == true, "\(strategy): \(texts)")
        // The server is reachable again, but does not serve this path.
        #expect(
          texts.last?.contains(strategy == "blocking" ? "code 256" : "status 404") == true, "\(strategy): \(texts)")
      }
    }

    @Test("A broken connection does not cause a hidden retry of its request")
    func reusedConnections() async throws {
      let selects = #"{"at": "0ms", "do": "select", "image": "A"}, {"at": "0ms", "do": "wait-idle"}"#
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "origin": {"routes": [{"path": "/a.png", "responses": [
           {"status": 404}, {"fault": "close-before-headers"}, {"status": 404}, {"fault": "reset"}, {}]}]},
         "steps": [{"at": "0ms", "do": "appear"}, \#([String](repeating: selects, count: 5).joined(separator: ", "))]}
        """#)
      let records = try await compare(try #require(file.scenario), Vocabulary.shipped.strategies)
      for record in records { #expect(record.events.count { $0.kind == .requestBegin } == 5) }
    }

    @Test(
      "A path with characters that need encoding produces the same run on both clocks",
      arguments: ["/ü/ß.png", "/s p.png", "/a?b=c.png", "/[x]|{y}<z>.png", "/100%.png", "//a//b.png"])
    func paths(_ path: String) async throws {
      // A blocking read continues after its image is dropped, so the second request is not a duplicate.
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "origin": {"routes": [{"path": "/a.png", "responses": [{"status": 201, "latency": "300ms"}]}]},
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"},
                   {"at": "60ms", "do": "drop-model", "image": "A"}, {"at": "110ms", "do": "select", "image": "A"}]}
        """#)
      var scenario = try #require(file.scenario)
      scenario.images[0].path = ScenarioPath(path)
      scenario.origin.routes[0].path = ScenarioPath(path)
      let strategies = Self.part(Vocabulary.shipped.strategies, path)
      let real = try await compare(scenario, strategies)
      for record in real + strategies.map(scenario.runVirtually) {
        #expect(InvariantJudge.violations(of: scenario, in: record) == [])
        #expect(record.events.filter { $0.kind == .requestBegin }.map { $0[.path] } == [path, path])
        #expect(record.final.images["A"] == .loaded)
      }
    }

    @Test(
      "A redirect to an encoded path reaches that path on both clocks",
      arguments: [
        ("/s p.png", "/s%20p.png"), ("/x/ü.png", "../x/%C3%BC.png"), ("/100%", "/100%25"), ("/a?b", "/a%3fb"),
      ])
    func encodedRedirects(_ path: String, _ location: String) async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/x/a.png"}, {"id": "B", "path": "/b.png"}],
         "origin": {"routes": [{"path": "/x/a.png",
                                "responses": [{"status": 302, "headers": {"Location": "\#(location)"}}]}]},
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"}]}
        """#)
      var scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
      scenario.images[1].path = ScenarioPath(path)
      let strategies = Self.part(Vocabulary.shipped.strategies, path)
      let real = try await compare(scenario, strategies)
      for record in real + strategies.map(scenario.runVirtually) {
        #expect(InvariantJudge.violations(of: scenario, in: record) == [])
        #expect(record.events.last { $0.kind == .uiUpdate }?[.shown] == "B")
      }
    }

    @Test(
      "A relative redirect reaches the same path on both clocks",
      arguments: ["b.png", "./b.png", "../b.png", "../x/b.png", "x/b.png"])
    func relativeRedirects(_ location: String) async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/x/a.png"}, {"id": "B", "path": "/x/b.png"},
                                                {"id": "C", "path": "/b.png"}],
         "origin": {"routes": [{"path": "/x/a.png",
                                "responses": [{"status": 302, "headers": {"Location": "\#(location)"}}]}]},
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"}]}
        """#)
      let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
      for record in try await compare(scenario, Self.part(Vocabulary.shipped.strategies, location)) {
        #expect(InvariantJudge.violations(of: scenario, in: record) == [])
      }
    }

    @Test("Both clocks draw the same random faults, even for a hundred requests")
    func longChance() async throws {
      let selects = #"{"at": "0ms", "do": "select", "image": "A"}, {"at": "0ms", "do": "wait-idle"}"#
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "origin": {"routes": [{"path": "/a.png", "responses": [
           {"body": {"bytes": 9}, "fault": "truncate", "after": 5, "probability": 0.5}]}]},
         "steps": [{"at": "0ms", "do": "appear"}, \#([String](repeating: selects, count: 100).joined(separator: ", "))]}
        """#)
      try await compare(try #require(file.scenario), ["dataTask"])
    }

    @Test("A `wait-idle` step, and a step that follows its id, wait until abandoned requests end")
    func rest() async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "origin": {"default": {"latency": "300ms"}},
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
                   {"at": "100ms", "do": "cancel", "image": "A"}, {"at": "100ms", "do": "wait-idle", "id": "rest"},
                   {"after": "rest", "plus": "50ms", "do": "note", "text": "now"}]}
        """#)
      let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
      for record in try await compare(scenario, ["blocking"]) + [scenario.runVirtually("blocking")] {
        let end = try #require(record.events.first { $0.kind == .requestEnd }).time
        let note = try #require(record.events.first { $0.kind == .note }).time
        #expect(end >= .milliseconds(300))
        #expect(note >= end + .milliseconds(50))
      }
    }

    @Test("A `wait-idle` step waits for every delivery of a published event")
    func restOfTheBus() async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x",
         "steps": [{"at": "0ms", "do": "subscribe", "subscriber": "one", "topic": "saved", "delivery": "workers"},
                   {"at": "0ms", "do": "publish", "topic": "saved", "lane": "workers"},
                   {"at": "0ms", "do": "wait-idle"}, {"at": "0ms", "do": "note", "text": "now"}],
         "expect": [{"order": [{"event": "bus.deliver"}, {"event": "note"}]}]}
        """#)
      let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
      let origin = try OriginServer(content: OriginContent())
      for late in 1...3 {
        let runtime = LateRuntime(UncrowdedRuntime(), late: late, by: .milliseconds(50))
        let runner = ScenarioRunner(
          scenario: scenario, folder: packageRoot, origin: origin, runtime: runtime, timeout: .seconds(120))
        let record = await runner.run("dataTask")
        let outcome = ScenarioOutcome(of: scenario, file.source, strategy: "dataTask", clock: .real, record)
        #expect(outcome.failures.map(\.message) == [], "\(late)")
      }
    }

    @Test("Both clocks draw the same random faults after a redirect to a path without a route")
    func chance() async throws {
      let selects = #"{"at": "0ms", "do": "select", "image": "A"}, {"at": "0ms", "do": "wait-idle"}"#
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "origin": {"default": {"body": {"bytes": 9}, "fault": "truncate", "after": 5, "probability": 0.5},
           "routes": [{"path": "/a.png", "responses": [{"status": 302, "headers": {"Location": "else"}}]}]},
         "steps": [{"at": "0ms", "do": "appear"}, \#([String](repeating: selects, count: 8).joined(separator: ", "))]}
        """#)
      for record in try await compare(try #require(file.scenario), ["dataTask", "async", "socket"]) {
        let errors = record.events.filter { $0.kind == .fetchFailed }.compactMap { $0[.error] }
        #expect(Set(errors) == ["truncated", "notAnImage"], "\(errors)")
      }
    }

    @Test("Both clocks produce the same run when steps cancel fetches, drop models and switch strategies")
    func everyStep() async throws {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x",
         "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}, {"id": "C", "path": "/c.png"}],
         "origin": {"default": {"latency": "100ms"}},
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
                   {"after": {"event": "request.begin", "image": "A"}, "do": "cancel", "image": "A"},
                   {"at": "50ms", "do": "select", "image": "B"},
                   {"after": {"event": "request.begin", "image": "B"}, "do": "drop-model", "image": "B"},
                   {"at": "300ms", "do": "switch", "strategy": "async"},
                   {"at": "300ms", "do": "select", "image": "C"}, {"at": "300ms", "do": "wait-idle"},
                   {"at": "300ms", "do": "deselect"}, {"at": "300ms", "do": "select", "image": "C"}]}
        """#)
      try await compare(try #require(file.scenario), ["dataTask", "downloadTask", "async", "socket"])
    }
  }
}

@Suite(.computing) struct VirtualScenarioTests {
  private func run(_ members: String, _ strategy: String = "dataTask") throws -> (ScenarioOutcome, RunRecord) {
    let file = SampleScenario.file(#"{"scenario": 1, "name": "x", "clocks": ["virtual"], \#(members)}"#)
    let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    let record = VirtualScenarioRunner(scenario: scenario, folder: packageRoot).run(strategy)
    return (ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .virtual, record), record)
  }

  @Test("A run's duration is the sum of its step's time, the latency and the transfer time")
  func time() throws {
    let (outcome, record) = try run(
      #"""
      "images": [{"id": "A", "path": "/a.png"}],
      "origin": {"default": {"body": {"bytes": 32768}, "latency": "2s", "bandwidth": 16384}},
      "steps": [{"at": "1s", "do": "appear"}, {"at": "3s", "do": "select", "image": "A"}]
      """#)
    #expect(outcome.failures == [])
    #expect(record.events.last?.kind == .uiUpdate)
    #expect(record.duration == .seconds(7))
  }

  @Test("A large body in one-byte chunks does not count as an endless run")
  func tinyChunks() throws {
    let (outcome, record) = try run(
      #"""
      "images": [{"id": "A", "path": "/a.png"}], "origin": {"default": {"body": {"bytes": 1000000}, "chunks": 1}},
      "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
      "expect": [{"outcome": {"image": "A", "is": "error:notAnImage"}}]
      """#)
    #expect(outcome.failures == [])
    #expect(record.termination == nil)
  }

  @Test(
    "Sixty images that arrive in many chunks do not count as an endless run", arguments: [20, 0])
  func manyPieces(_ interval: Int) throws {
    let numbers = 1...60
    let images = numbers.map { #"{"id": "\#($0)", "path": "/\#($0)"}"# }
    let steps = numbers.flatMap { number in
      [#"{"do": "appear", "#, #"{"do": "select", "image": "\#(number)", "#].map {
        $0 + #""at": "\#(number * interval)ms", "view": "v\#(number)"}"#
      }
    }
    let (outcome, record) = try run(
      #"""
      "images": [\#(images.joined(separator: ", "))], "origin": {"default": {"latency": "100ms", "chunks": 64}},
      "steps": [\#(steps.joined(separator: ", "))],
      "expect": [{"count": {"event": "fetch.done", "equals": 60}}]
      """#)
    #expect(outcome.failures.map(\.message) == [])
    #expect(record.termination == nil)
  }

  @Test("A run with too many events fails as a livelock and reports the number of events")
  func tooManyEvents() throws {
    let listen = (1...500).map { #"{"at": "0ms", "do": "subscribe", "subscriber": "s\#($0)", "topic": "t"}"# }
    let publish = (1...50).map { #"{"at": "\#($0)ms", "do": "publish", "topic": "t"}"# }
    let (outcome, _) = try run(#""steps": [\#((listen + publish).joined(separator: ", "))]"#)
    #expect(outcome.failures.map(\.expectation) == ["livelock"])
    #expect(outcome.failures.first?.message.hasPrefix("livelock: no end after 21000 events (event 21000,") == true)
  }

  @Test("A fetch from a silent server times out after a minute of virtual time")
  func stall() throws {
    let (outcome, record) = try run(
      #"""
      "images": [{"id": "A", "path": "/a.png"}], "origin": {"default": {"fault": "stall", "after": 10}},
      "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
      "expect": [{"outcome": {"image": "A", "is": "error:timedOut"}}]
      """#)
    #expect(outcome.failures == [])
    #expect(record.duration == .seconds(60))
  }

  @Test("A blocking read that meets a password challenge waits until its deadline")
  func challenge() throws {
    let (outcome, record) = try run(
      #"""
      "images": [{"id": "A", "path": "/a.png"}],
      "origin": {"default": {"status": 401, "headers": {"WWW-Authenticate": "Basic realm=\"x\""}}},
      "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
      "expect": [{"outcome": {"image": "A", "is": "error:timedOut"}}]
      """#, "blocking")
    #expect(outcome.failures == [])
    #expect(record.duration == .seconds(60))
  }

  @Test(
    "A client follows a redirect only after the redirect's page has arrived", arguments: Vocabulary.shipped.strategies)
  func slowRedirect(_ strategy: String) throws {
    let (outcome, record) = try run(
      #"""
      "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
      "origin": {"routes": [{"path": "/a.png", "responses": [
        {"status": 302, "headers": {"Location": "/b.png"}, "body": {"bytes": 500}, "latency": "1s", "bandwidth": 250}]}]},
      "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}]
      """#, strategy)
    #expect(outcome.failures == [])
    #expect(record.events.last?[.shown] == "B")
    #expect(record.duration == .seconds(3))
  }

  @Test("Blocking fetches starve a small pool but not a larger one")
  func starvation() throws {
    let images = (1...5).map { #"{"id": "\#($0)", "path": "/\#($0)"}"# }.joined(separator: ", ")
    let steps = (1...5).map { #"{"at": "0ms", "do": "select", "image": "\#($0)", "view": "v\#($0)"}"# }
    let appear = (1...5).map { #"{"at": "0ms", "do": "appear", "view": "v\#($0)"}"# }
    let members = #"""
      "images": [\#(images)], "origin": {"default": {"latency": "100ms"}},
      "steps": [\#((appear + steps).joined(separator: ", "))]
      """#
    #expect(try run(members, "blocking").0.failures.map(\.expectation) == ["starved-pool"])
    #expect(try run(#""pool": {"model": "darwin", "limit": 64}, "# + members, "blocking").0.failures == [])
    #expect(try run(members, "dataTask").0.failures == [])
  }

  @Test("A run fails at a step whose awaited event does not happen")
  func waitingInVain() throws {
    let (outcome, record) = try run(
      #"""
      "images": [{"id": "A", "path": "/a.png"}],
      "steps": [{"after": {"event": "fetch.done", "image": "A"}, "do": "appear"}]
      """#)
    #expect(record.termination == .waiting(step: 0))
    #expect(
      outcome.failures.map(\.message) == [
        "step 1 of the file: it waits for fetch.done image=A, which did not happen"
      ])
  }

  @Test("The failure of a step that waits for a failed fetch mentions the retries")
  func waitingForRetries() throws {
    let (outcome, _) = try run(
      #"""
      "images": [{"id": "A", "path": "/a.png"}], "limits": {"retries": 3},
      "origin": {"routes": [{"path": "/a.png", "responses": [{"status": 503}, {}]}]},
      "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
        {"after": {"event": "fetch.failed", "image": "A"}, "do": "deselect"}]
      """#)
    #expect(
      outcome.failures.map(\.message) == [
        "step 3 of the file: it waits for fetch.failed image=A, which did not happen; "
          + #"a fetch that is retried ("retries": 3) has not failed"#
      ])
  }

  @Test(
    "A step that waits for an event that has already happened fails with a suggested fix",
    arguments: [
      (
        #"{"at": "1s", "do": "note", "text": "later"}"#,
        "give this step an \"at\", or move it up, but then the steps below it wait as well, even those with an earlier "
          + "\"at\""
      ),
      (
        #"{"after": {"event": "fetch.done", "image": "A"}, "do": "note", "text": "done"}"#,
        "write \"after\" with the id of the other step"
      ),
    ])
  func waitingTooLate(_ before: String, _ advice: String) throws {
    let (outcome, _) = try run(
      #"""
      "images": [{"id": "A", "path": "/a.png"}],
      "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}, \#(before),
        {"after": {"event": "fetch.done", "image": "A"}, "do": "deselect"}],
      "expect": [{"final": {"detail.shown": "nothing"}}]
      """#)
    #expect(outcome.failures.count == 2)
    let message = try #require(outcome.failures.first?.message)
    #expect(
      message.hasPrefix(
        "step 4 of the file: it waits for fetch.done image=A, which had already happened before the previous step (event"
      ))
    #expect(message.hasSuffix(advice))
  }
}
