import ScenarioSamples
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

@Suite struct JudgeTests {
  private static let scenario = SampleScenario.file(
    #"""
    {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}, {"id": "B", "path": "/b"}, {"id": "C", "path": "/a"}],
     "steps": [{"at": "0ms", "do": "select", "image": "A"}, {"at": "0ms", "do": "select", "image": "B"}]}
    """#
  ).scenario

  private func trace(_ events: (TraceKind, TraceValues)...) -> RunRecord {
    RunRecord(trace: events)
  }

  private func violations(_ record: RunRecord) throws -> [String] {
    InvariantJudge.violations(of: try #require(Self.scenario), in: record).map(\.subject)
  }

  private let appear: (TraceKind, TraceValues) = (.viewAppear, [.view: "v"])
  private let selectB: (TraceKind, TraceValues) = (.viewSelect, [.view: "v", .image: "B"])
  private let startA: (TraceKind, TraceValues) = (.fetchStart, [.image: "A"])
  private let doneA: (TraceKind, TraceValues) = (.fetchDone, [.image: "A"])
  private let failA: (TraceKind, TraceValues) = (.fetchFailed, [.image: "A"])
  private let cancelA: (TraceKind, TraceValues) = (.fetchCancelled, [.image: "A"])
  private let dropA: (TraceKind, TraceValues) = (.modelDrop, [.image: "A"])
  private let beginA: (TraceKind, TraceValues) = (.requestBegin, [.path: "/a", .image: "A"])
  private let endA: (TraceKind, TraceValues) = (.requestEnd, [.path: "/a", .image: "A"])

  @Test("The judge reports a view that draws off main")
  func offMain() throws {
    let record = trace(appear, (.uiUpdate, [.view: "v", .shown: "nothing", .lane: "workers"]))
    #expect(try violations(record) == ["ui-off-main"])
  }

  @Test("The judge reports a drawn picture that is not selected, but accepts a placeholder")
  func stale() throws {
    let good = trace(appear, selectB, (.uiUpdate, [.view: "v", .shown: "B"]))
    #expect(try violations(good) == [])
    #expect(try violations(trace(appear, selectB, (.uiUpdate, [.view: "v", .shown: "placeholder"]))) == [])
    let bad = trace(appear, selectB, (.uiUpdate, [.view: "v", .shown: "A"]))
    #expect(try violations(bad) == ["stale-image"])
    let gone = trace(appear, selectB, (.viewDeselect, [.view: "v"]), (.uiUpdate, [.view: "v", .shown: "B"]))
    #expect(try violations(gone) == ["stale-image"])
  }

  @Test("The judge reports a view that draws after it disappeared")
  func unseen() throws {
    let record = trace(appear, (.viewDisappear, [.view: "v"]), (.uiUpdate, [.view: "v", .shown: "placeholder"]))
    #expect(try violations(record) == ["update-after-disappear"])
  }

  @Test("Two requests for a path may overlap only if the first fetch was cancelled, dropped or failed")
  func duplicates() throws {
    #expect(try violations(trace(beginA, endA, beginA, endA)) == [])
    #expect(try violations(trace(beginA, beginA)) == ["duplicate-fetch"])
    #expect(try violations(trace(startA, beginA, cancelA, startA, beginA, endA, endA, doneA)) == [])
    #expect(try violations(trace(startA, beginA, dropA, cancelA, beginA)) == [])
    #expect(try violations(trace(startA, beginA, dropA, beginA, cancelA, startA, endA, endA, doneA)) == [])
    #expect(try violations(trace(startA, beginA, cancelA, startA, beginA, beginA, doneA)) == ["duplicate-fetch"])
    #expect(try violations(trace(startA, beginA, failA, startA, beginA, endA, endA, doneA)) == [])
  }

  @Test(
    "Only an expired deadline allows a new request before main learns that the first one failed")
  func requestsBesideDeadlines() throws {
    let timeOutA = (TraceKind.fetchFailed, [.image: "A", .error: "timedOut"] as TraceValues)
    let failA = (TraceKind.fetchFailed, [.image: "A", .error: "transport"] as TraceValues)
    let (startC, doneC) = (
      (TraceKind.fetchStart, [.image: "C"] as TraceValues), (TraceKind.fetchDone, [.image: "C"] as TraceValues)
    )
    func violations(_ end: (TraceKind, TraceValues), every interval: Duration) throws -> [String] {
      let events = [startA, beginA, beginA, end, startC, endA, endA, doneC]
      return try self.violations(RunRecord(trace: events, every: interval))
    }
    #expect(try violations(timeOutA, every: .seconds(60)) == [])
    #expect(try violations(failA, every: .seconds(60)) == ["duplicate-fetch"])
    #expect(try violations(timeOutA, every: .seconds(29)) == ["duplicate-fetch"])
  }

  @Test("A shared request is cancelled only when the last of its images is cancelled or dropped")
  func sharedRequests() throws {
    let startC = (TraceKind.fetchStart, [.image: "C"] as TraceValues)
    let cancelC = (TraceKind.fetchCancelled, [.image: "C"] as TraceValues)
    #expect(try violations(trace(startA, startC, beginA, cancelA, beginA, cancelC)) == ["duplicate-fetch"])
    #expect(try violations(trace(startA, startC, beginA, dropA, cancelA, beginA, cancelC)) == ["duplicate-fetch"])
    #expect(try violations(trace(startA, startC, beginA, cancelA, cancelC, beginA)) == [])
  }

  @Test("The judge reports a fetch that ends twice, never ends, or ends after its cancel")
  func ends() throws {
    #expect(try violations(trace(startA, doneA)) == [])
    #expect(try violations(trace(startA, doneA, doneA)) == ["completed-twice"])
    #expect(try violations(trace(startA, cancelA, doneA)) == ["delivered-after-cancel"])
    #expect(try violations(trace(startA, cancelA, startA, doneA)) == [])
    #expect(try violations(trace(startA)) == ["never-completed"])
    #expect(try violations(trace(startA, dropA)) == ["never-completed"])
    #expect(try violations(trace(startA, dropA, cancelA)) == [])
  }

  @Test("The judge reports a fetch that waits for nothing until its deadline")
  func lostFetches() throws {
    let timeOutA = (TraceKind.fetchFailed, [.image: "A", .error: "timedOut"] as TraceValues)
    let startB = (TraceKind.fetchStart, [.image: "B"] as TraceValues)
    let beginB = (TraceKind.requestBegin, [.path: "/b", .image: "B"] as TraceValues)
    let endB = (TraceKind.requestEnd, [.path: "/b", .image: "B"] as TraceValues)
    let doneB = (TraceKind.fetchDone, [.image: "B"] as TraceValues)
    func violations(_ events: [(TraceKind, TraceValues)], every interval: Duration = .seconds(60)) throws -> [String] {
      try self.violations(RunRecord(trace: events, every: interval))
    }
    #expect(try violations([startA, timeOutA]) == ["never-completed"])
    #expect(try violations([startB, startA, beginB, endB, doneB, timeOutA]) == ["never-completed"])
    // Its request may still be on its way, was sent, or waits for another one.
    #expect(try violations([startA, timeOutA], every: .milliseconds(900)) == [])
    #expect(try violations([startA, beginA, timeOutA]) == [])
    #expect(try violations([startA, beginA, endA, timeOutA]) == [])
    #expect(try violations([startB, beginB, startA, timeOutA, endB, doneB]) == [])
    #expect(try violations([startB, beginB, endB, startA, timeOutA, doneB]) == [])
    let timeOutB = (TraceKind.fetchFailed, [.image: "B", .error: "timedOut"] as TraceValues)
    let held = RunRecord(trace: [startB, beginB, startA, timeOutB, timeOutA], every: .milliseconds(999))
    #expect(try self.violations(held) == [])
  }

  @Test("A fetch that restarts after a cancel allows a second concurrent request, but not a third")
  func overtakenRequests() throws {
    #expect(try violations(trace(startA, cancelA, beginA, startA, beginA, endA, endA, doneA)) == [])
    #expect(try violations(trace(startA, cancelA, startA, beginA, beginA, endA, endA, doneA)) == [])
    let third = trace(startA, cancelA, startA, beginA, beginA, beginA, endA, endA, endA, doneA)
    #expect(try violations(third) == ["duplicate-fetch"])
    let next = trace(
      startA, cancelA, startA, beginA, beginA, endA, endA, doneA, startA, beginA, beginA, endA, endA, doneA)
    #expect(try violations(next) == ["duplicate-fetch"])
    #expect(try violations(trace(startA, beginA, beginA, endA, endA, doneA)) == ["duplicate-fetch"])
  }

  @Test("A request may overlap an earlier one that its client has already abandoned")
  func abandonedRequests() throws {
    var record = trace(startA, beginA, beginA, endA, endA, doneA)
    record.requests[0].abandoned = 2
    #expect(try violations(record) == [])
    record.requests[0].abandoned = 3
    #expect(try violations(record) == ["duplicate-fetch"])
  }

  @Test("The judge expects exactly one end for each of two concurrent fetches")
  func doubleFetches() throws {
    #expect(try violations(trace(startA, startA, doneA)) == ["never-completed"])
    #expect(try violations(trace(startA, startA, doneA, doneA)) == [])
    #expect(try violations(trace(startA, startA, doneA, doneA, doneA)) == ["completed-twice"])
    #expect(try violations(trace(startA, startA, dropA, cancelA, cancelA)) == [])
  }

  @Test("The judge accepts a picture only if one of the requests so far can have received it")
  func answersSoFar() throws {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}, {"id": "B", "path": "/b"}, {"id": "C", "path": "/c"}],
       "origin": {"routes": [{"path": "/a", "responses": [{"body": "A"}, {"body": "B"}]}]},
       "steps": [{"at": "0ms", "do": "select", "image": "A"},
        {"at": "0ms", "do": "origin", "path": "/a", "responses": [{"body": "C"}]}]}
      """#)
    let scenario = try #require(file.scenario)
    let selectA = (TraceKind.viewSelect, [.view: "v", .image: "A"] as TraceValues)
    let change = (TraceKind.originChange, [.path: "/a"] as TraceValues)
    let draw = { (shown: String) in (TraceKind.uiUpdate, [.view: "v", .shown: shown] as TraceValues) }
    let found = { (record: RunRecord) in InvariantJudge.violations(of: scenario, in: record).map(\.subject) }
    #expect(found(trace(appear, selectA, beginA, endA, draw("B"))) == ["stale-image"])
    #expect(found(trace(appear, selectA, beginA, endA, beginA, endA, draw("B"))) == [])
    #expect(found(trace(appear, selectA, beginA, endA, change, draw("C"))) == ["stale-image"])
    #expect(found(trace(appear, selectA, beginA, change, endA, draw("C"))) == [])
    #expect(found(trace(appear, selectA, change, beginA, endA, draw("C"))) == [])
    #expect(found(trace(appear, selectA, change, beginA, endA, draw("B"))) == ["stale-image"])
  }

  @Test("A visible view is stale if it does not show the loaded picture of its selection")
  func stoppedViews() throws {
    let select = (TraceKind.viewSelect, [.view: "v", .image: "A"] as TraceValues)
    let draw = { (shown: String) in (TraceKind.uiUpdate, [.view: "v", .shown: shown] as TraceValues) }
    let disappear = (TraceKind.viewDisappear, [.view: "v"] as TraceValues)
    #expect(try violations(trace(appear, select, draw("placeholder"), startA, doneA)) == ["stale-image"])
    #expect(try violations(trace(appear, select, draw("placeholder"), startA, doneA, draw("A"))) == [])
    #expect(try violations(trace(appear, select, draw("placeholder"), startA, failA)) == [])
    #expect(try violations(trace(appear, select, draw("placeholder"), startA, doneA, disappear)) == [])
    #expect(try violations(trace(appear, select, draw("A"), selectB)) == ["stale-image"])
    #expect(try violations(trace(appear, select, draw("A"), selectB, draw("placeholder"))) == [])
    #expect(try violations(trace(appear, select, (.cacheHit, [.image: "A"]))) == ["stale-image"])
  }

  @Test("A delivery on a worker is not late if its event was posted before the unsubscribe")
  func lateCalls() throws {
    let event = { (kind: TraceKind, topic: String, lane: String) in
      (kind, [.subscriber: "s", .topic: topic, .lane: lane] as TraceValues)
    }
    let (listen, leave) = (event(.busSubscribe, "t", "user"), event(.busUnsubscribe, "t", "user"))
    let (post, late) = (event(.busPost, "t", "main"), event(.busDeliver, "t", "workers"))
    #expect(try violations(trace(listen, post, leave, late)) == [])
    #expect(try violations(trace(listen, post, leave, event(.busDeliver, "t", "main"))) == ["delivered-after-cancel"])
    #expect(try violations(trace(listen, post, leave, late, late)) == ["delivered-after-cancel"])
    #expect(try violations(trace(listen, post, late, leave, late)) == ["delivered-after-cancel"])
    #expect(try violations(trace(listen, leave, post, late)) == ["delivered-after-cancel"])
  }

  @Test("A delivery is late if its subscriber has left the topic for another one")
  func topics() throws {
    let event = { (kind: TraceKind, topic: String) in (kind, [.subscriber: "s", .topic: topic] as TraceValues) }
    let change = [event(.busSubscribe, "t"), event(.busUnsubscribe, "t"), event(.busSubscribe, "u")]
    #expect(try violations(RunRecord(trace: change + [event(.busPost, "u"), event(.busDeliver, "u")])) == [])
    let late = RunRecord(trace: change + [event(.busPost, "t"), event(.busDeliver, "t")])
    #expect(try violations(late) == ["delivered-after-cancel"])
  }

  @Test("The judge reports a subscriber that is called after it unsubscribed")
  func subscribers() throws {
    let listen = (TraceKind.busSubscribe, [.subscriber: "s"] as TraceValues)
    let leave = (TraceKind.busUnsubscribe, [.subscriber: "s"] as TraceValues)
    let called = (TraceKind.busDeliver, [.subscriber: "s"] as TraceValues)
    #expect(try violations(trace(listen, called, leave)) == [])
    #expect(try violations(trace(listen, leave, called)) == ["delivered-after-cancel"])
  }

  @Test("The judge reports unfinished fetches and leaks, unless the run was cut off in the middle")
  func remains() throws {
    var record = trace(startA)
    record.leaks = Scenario.Leaks(models: 1, subscriptions: 2)
    let remains = ["never-completed", "leaked-model", "leaked-subscription"]
    for termination in [RunRecord.Termination.waiting(step: 0), .fetching, nil] {
      record.termination = termination
      #expect(try violations(record) == remains)
    }
    record.termination = .outOfTime(next: nil)
    #expect(try violations(record) == [])
    record.termination = .endless(.events(7))
    #expect(try violations(record) == ["livelock"])
    record.termination = .deadlocked(waiting: ["main"])
    #expect(try violations(record) == ["deadlock"])
  }

  @Test("The judge accepts another image's picture if a route, a redirect or the default serves it")
  func answers() throws {
    let redirect = { (target: String) in #"{"status": 302, "headers": {"Location": "\#(target)"}}"# }
    let images = #"[{"id": "A", "path": "/x/a"}, {"id": "B", "path": "/x/b"}, {"id": "C", "path": "/c"}]"#
    for origin in [
      #"{"default": {"body": "B"}}"#, #"{"routes": [{"path": "/x/a", "responses": [{"body": "B"}]}]}"#,
      #"{"routes": [{"path": "/x/a", "responses": [\#(redirect("b"))]}]}"#,
      #"{"routes": [{"path": "/x/a", "responses": [\#(redirect("../x/./b"))]}]}"#,
      #"{"default": {"body": "B"}, "routes": [{"path": "/x/a", "responses": [\#(redirect("elsewhere"))]}]}"#,
    ] {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": \#(images), "origin": \#(origin),
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
         "expect": [{"final": {"detail.shown": "B"}}]}
        """#)
      let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
      let outcome = ScenarioOutcome(
        of: scenario, file.source, strategy: "dataTask", clock: .virtual, scenario.runVirtually("dataTask"))
      #expect(outcome.failures.map(\.message) == [], "\(origin)")
      let wrong = trace(appear, (.viewSelect, [.view: "v", .image: "A"]), (.uiUpdate, [.view: "v", .shown: "C"]))
      #expect(InvariantJudge.violations(of: scenario, in: wrong).map(\.subject) == ["stale-image"], "\(origin)")
    }
  }

  @Test(
    "Each kind of expectation fails with its message, which names the event and the time",
    arguments: [
      (
        #"{"always": {"event": "fetch.failed", "is": {"error": "truncated"}}}"#,
        "always fetch.failed: no event matched, so nothing was tested"
      ),
      (
        #"{"lane": {"event": "fetch.failed", "is": "main"}}"#,
        "lane fetch.failed: no event matched, so nothing was tested"
      ),
      (#"{"never": {"event": "fetch.done"}}"#, "never fetch.done: it happened (event 3, t = 2 ms)"),
      (
        #"{"always": {"event": "ui.update", "is": {"shown": "A"}}}"#,
        #"always ui.update: expected shown "A", got "placeholder" (event 2, t = 1 ms)"#
      ),
      (
        #"{"count": {"event": "ui.update", "atMost": 1}}"#,
        "count ui.update: expected at most 1, got 2 (event 4, t = 3 ms)"
      ),
      (#"{"count": {"event": "fetch.done", "equals": 2}}"#, "count fetch.done: expected 2, got 1"),
      (
        #"{"order": [{"event": "fetch.done"}, {"event": "fetch.start"}]}"#,
        "order: expected fetch.start after fetch.done, but it happened earlier (event 1, t = 0 ms)"
      ),
      (
        #"{"within": {"event": "fetch.done", "after": {"event": "fetch.start"}, "limit": "1ms"}}"#,
        "within fetch.done: expected within 1ms after fetch.start A (event 1, t = 0 ms), got 2 ms (event 3, t = 2 ms)"
      ),
      (
        #"{"within": {"event": "fetch.failed", "limit": "1ms"}}"#,
        "within fetch.failed: expected within 1ms, but it did not happen"
      ),
      (
        #"{"order": [{"event": "fetch.start"}, {"event": "ui.update", "shown": "loading"}]}"#,
        "order: expected ui.update shown=loading after fetch.start, but it did not happen; the closest event is ui.update "
          + "view=v lane=main shown=placeholder (event 2, t = 1 ms)"
      ),
      (
        #"{"outcome": {"image": "A", "is": "error:truncated"}}"#,
        #"outcome of "A": expected error:truncated, got loaded (event 3, t = 2 ms)"#
      ),
      (
        #"{"lane": {"event": "ui.update", "is": "workers"}}"#,
        "lane ui.update: expected workers, got main (event 2, t = 1 ms)"
      ),
      (#"{"leaks": {"models": 0}}"#, "leaks: expected at most 0 models and 0 subscriptions, got 1 and 0"),
      (#"{"stall": {"atMost": "16ms"}}"#, "stall of main: expected at most 16ms, got 20 ms"),
      (#"{"final": {"v.shown": null}}"#, #"final v.shown: expected nothing, got "A" (event 4, t = 3 ms)"#),
      (#"{"final": {"v.visible": true}}"#, "final v.visible: expected true, got false"),
      (#"{"final": {"A.state": "failed"}}"#, "final A.state: expected failed, got loaded (event 3, t = 2 ms)"),
    ])
  func expectations(_ expectation: String, _ message: String) throws {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}],
       "steps": [{"at": "0ms", "do": "appear", "view": "v"}, {"at": "0ms", "do": "select", "image": "A", "view": "v"}],
       "expect": [\#(expectation)]}
      """#)
    let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    var record = trace(
      startA, (.uiUpdate, [.view: "v", .shown: "placeholder"]), doneA, (.uiUpdate, [.view: "v", .shown: "A"]))
    record.leaks.models = 1
    record.longestStall = .milliseconds(20)
    record.final.images["A"] = .loaded
    let violation = ExpectationJudge(record: record).violations(of: try #require(scenario.expectations.first)).first
    #expect(violation?.line(record.events) == message)
  }

  @Test("All wrong states of a final expectation are reported")
  func allFinalStates() throws {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
       "expect": [{"final": {"detail.shown": "nothing", "detail.visible": false, "A.state": "failed"}}]}
      """#)
    let scenario = try #require(file.scenario)
    let judge = ExpectationJudge(record: scenario.runVirtually("dataTask"))
    #expect(
      judge.violations(of: scenario.expectations[0]).map(\.subject)
        == ["final detail.shown", "final detail.visible", "final A.state"])
  }

  @Test("A time limit can start at a step, and its failure names the step")
  func withinOfStep() throws {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
       "origin": {"default": {"latency": "60ms"}},
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"},
                 {"at": "90ms", "do": "select", "image": "B", "id": "second"},
                 {"at": "90ms", "do": "wait-idle", "id": "idle"}, {"after": "idle", "plus": "5ms", "do": "select", "image": "A"}],
       "expect": [{"within": {"event": "fetch.done", "after": "second", "limit": "60ms"}},
                  {"within": {"event": "fetch.done", "after": "second", "limit": "50ms"}},
                  {"within": {"event": "ui.update", "shown": "A", "after": "idle", "limit": "5ms"}},
                  {"within": {"event": "fetch.done", "after": {"event": "view.select"}, "limit": "50ms"}}]}
      """#)
    let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    let record = scenario.runVirtually("dataTask")
    let judge = ExpectationJudge(record: record)
    #expect(
      scenario.expectations.map { judge.violations(of: $0).first?.message } == [
        nil, #"expected within 50ms after the step "second" (t = 90 ms), got 60 ms"#, nil,
        "expected within 50ms after view.select A detail (event 3, t = 10 ms), got 60 ms",
      ])
  }

  @Test("The closest event to one that is late comes after the start of the time limit, if there is one")
  func closestEvent() {
    let draw = { (shown: String) in (TraceKind.uiUpdate, [.view: "v", .shown: shown] as TraceValues) }
    let judge = ExpectationJudge(record: trace(draw("B"), startA, draw("C")))
    let pattern = EventPattern(kind: .uiUpdate, values: [.shown: "A"])
    let start = Scenario.Expectation.Start.event(EventPattern(kind: .fetchStart))
    let found = judge.violations(of: .init(kind: .within(pattern, after: start, limit: .seconds(1)))).first
    #expect(found?.position == 2)
    #expect(found?.message.contains("the closest event is ui.update view=v lane=main shown=C") == true)
  }

  @Test("A status that `blocking` cannot see is named as the reason", arguments: ["blocking", "dataTask"])
  func unseenStatus(_ strategy: String) throws {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
       "origin": {"default": {"status": 503}},
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
       "expect": [{"count": {"event": "request.end", "status": 503, "equals": 1}}]}
      """#)
    let scenario = try #require(file.scenario)
    let found = ExpectationJudge(record: scenario.runVirtually(strategy)).violations(of: scenario.expectations[0])
    #expect(
      found.map(\.message)
        == (strategy == "blocking" ? ["expected 1, got 0; the strategy blocking cannot see the status"] : []))
  }

  @Test("The number of a step in a file with a repetition counts each round")
  func expandedStep() throws {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x",
       "steps": [{"repeat": 3, "every": "1ms", "steps": [{"at": "0ms", "do": "appear"}]},
                 {"after": {"event": "fetch.done"}, "do": "disappear"}]}
      """#)
    let scenario = try #require(file.scenario)
    let judge = RunJudge(scenario: scenario, record: scenario.runVirtually("dataTask"))
    #expect(
      judge.violations.map(\.violation.subject) == ["step 4 of the file, counting each round of a repetition"])
  }

  @Test("A stall just beyond its limit is printed with enough digits to differ from the limit")
  func justBeyond() {
    var record = trace(startA)
    record.longestStall = .microseconds(20_050)
    let stall = { ExpectationJudge(record: record).violations(of: .init(kind: .stall(atMost: $0))).first?.message }
    #expect(stall(.milliseconds(20)) == "expected at most 20ms, got 20.050 ms")
    record.longestStall = .microseconds(412)
    #expect(stall(.zero) == "expected at most 0s, got 0.412 ms")
  }

  @Test("The failure of a starved pool names the first fetch that waited")
  func starved() throws {
    let (startB, beginB) = (
      (TraceKind.fetchStart, [.image: "B"] as TraceValues), (TraceKind.requestBegin, [.image: "B"] as TraceValues)
    )
    var record = trace(startA, beginA, startB, beginB, endA)
    record.poolStarved = true
    record.events[1].time = record.events[0].time
    let found = InvariantJudge.violations(of: try #require(Self.scenario), in: record)
      .first { $0.subject == "starved-pool" }
    #expect(
      found?.line(record.events)
        == #"starved-pool: the fetch of "B" waited for a worker while all workers were blocked; "#
        + #"leave out the strategy "blocking", or add a larger pool: "pool": {"model": "darwin", "limit": 64} "#
        + "(event 3, t = 2 ms)")
  }

  @Test("The last fetch decides an image's outcome, and a dropped fetch has no outcome")
  func outcomeOfDropped() {
    let drop = (TraceKind.modelDrop, [.image: "A"] as TraceValues)
    let judge = ExpectationJudge(record: trace(startA, doneA, drop, startA, drop))
    let outcome = { judge.violations(of: Scenario.Expectation(kind: .outcome(image: "A", is: $0))).first }
    #expect(outcome(.none) == nil)
    #expect(outcome(.loaded)?.message == "expected loaded, got an unfinished fetch")
  }

  @Test("Thousands of expectations do not scan a long run once each")
  func manyExpectations() {
    let events = (0..<4000).map { (TraceKind.note, [.text: "\($0)"] as TraceValues) }
    let judge = ExpectationJudge(record: RunRecord(trace: events))
    let start = ContinuousClock.now
    let patterns = (0..<4000).map { EventPattern(kind: .note, values: [.text: "\($0)"]) }
    #expect(patterns.allSatisfy { judge.violations(of: .init(kind: .count($0, in: 1...1))).first == nil })
    #expect(patterns.allSatisfy { judge.violations(of: .init(kind: .always($0, has: [.lane: "main"]))).first == nil })
    // Sixteen million comparisons would take a minute.
    #expect(start.duration(to: .now) < .seconds(30))
  }
}
