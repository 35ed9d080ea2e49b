import EventBus
import FetcherModel
import Foundation
import ScenarioSamples
import Testing
import VirtualTime

@testable import ScenarioEngine
@testable import ScenarioFormat

/// The scenarios of the five systems run the pages of these systems, and fail with any other program.
@Suite struct SystemProgramTests {
  private static let systems = ShippedScenario.all.filter { $0.name.hasPrefix("system-") }

  @Test("Each of the five systems has a scenario that names it")
  func programs() throws {
    let programs = try Self.systems.map { try $0.scenario.program }
    #expect(Set(programs) == Set(PageSystem.all.map(\.name)))
  }

  @Test("A system's scenario fails with the list-and-picture program", arguments: systems)
  func replaced(_ shipped: ShippedScenario) throws {
    let scenario = try shipped.scenario
    for strategy in scenario.plannedStrategies {
      let record = VirtualScenarioRunner(
        scenario: scenario, folder: ShippedScenario.folder, program: { ListAndPicture($0) }
      ).run(strategy)
      #expect(try shipped.outcome(strategy, .virtual, record).ok == false, "\(strategy)")
    }
  }

  @Test(
    "A system's scenario passes with every strategy, except where a blocking read cannot see the response",
    arguments: systems, FetchEnvironment().strategies.map(\.name.description))
  func everyStrategy(_ shipped: ShippedScenario, _ strategy: String) throws {
    let failures = try shipped.outcome(strategy, .virtual, shipped.scenario.runVirtually(strategy)).failures
    // A blocking read sees neither status nor header fields.
    let allowed = strategy == "blocking" ? ["service.answer", "badStatus", "error=", "status 410"] : []
    #expect(failures.filter { failure in !allowed.contains { failure.message.contains($0) } }.map(\.message) == [])
  }

  @Test("A system's run records the bus events of its pages from subscribe to unsubscribe", arguments: systems)
  func wholeLife(_ shipped: ShippedScenario) throws {
    let scenario = try shipped.scenario
    let events = run(scenario, showsBus: true).events
    for kind in [TraceKind.busSubscribe, .busPost, .busDeliver, .busUnsubscribe] {
      #expect(events.contains { $0.kind == kind && $0[.subscriber] != Scenario.noSubscriber }, "\(kind)")
    }
    let expected = try shipped.scenario.expectations.contains { expectation in
      guard case .order(let patterns) = expectation.kind else { return false }
      return patterns.contains { $0.kind == .busDeliver }
    }
    #expect(expected)
  }

  @Test("A page changes only during a user's step or a delivery of the bus", arguments: systems)
  func changes(_ shipped: ShippedScenario) throws {
    let scenario = try shipped.scenario
    let delivered = run(scenario, showsBus: true).events
    // The response to an upload goes directly to the page that sent the picture, because it is not part of the store's
    // state.
    let surprises = changes(of: delivered) { $0.kind == .busDeliver }
    let uploads = ["uploaded, status 201", "the upload: "]
    #expect(surprises.filter { event in !uploads.contains { event[.text]?.hasPrefix($0) == true } } == [])
    #expect(changes(of: delivered) { _ in false } != [])

    let system = try #require(PageSystem.all.first { $0.name == scenario.program })
    let make = system.program()
    let silent = run(scenario) { context in make(context.on(EventBus(runtime: ManualRuntime()))) }.events
    #expect(silent.contains { $0.kind == .pageShow || $0.kind == .uiUpdate })
    #expect(changes(of: silent) { _ in false } == [])
  }

  @Test("A page that is left while it loads does not delay the end of the run") func leftWhileLoading() throws {
    let steps =
      #"{"at": "0ms", "do": "appear", "view": "users"}, {"at": "0ms", "do": "tap", "view": "users", "control": "all-posts"}"#
    let origin =
      #""origin": {"default": {"body": {"json": []}, "latency": "20ms"}, "routes": [{"path": "/users", "responses": [{"body": {"json": []}, "latency": "90ms"}]}]},"#
    let record = run(try #require(file("ios-concurrency", steps, more: origin).scenario))
    #expect(record.termination == nil)
    let ends = record.events.filter { $0.kind == .requestEnd }.map { $0[.path] }
    #expect(ends == ["/posts", "/users"])
    let shown = record.events.filter { $0.kind == .pageShow }.map { $0[.text] }
    #expect(shown.last == "0 posts of 0 users")
  }

  private func run(
    _ scenario: Scenario, showsBus: Bool = false, program: ProgramRegistry.Make? = nil
  ) -> RunRecord {
    VirtualScenarioRunner(scenario: scenario, folder: ShippedScenario.folder, program: program, showsBus: showsBus)
      .run(scenario.plannedStrategies[0])
  }

  /// Returns the page changes in turns of main that contain neither a user's step nor a cause.
  private func changes(of events: [RunEvent], without isCause: (RunEvent) -> Bool) -> [RunEvent] {
    let turns = Set(events.filter { $0[.lane] == TraceLane.user.rawValue || isCause($0) }.map(\.turn))
    return events.filter { ($0.kind == .pageShow || $0.kind == .uiUpdate) && !turns.contains($0.turn) }
  }

  @Test("The reference page lists every control of a system, and a step with any other control is rejected")
  func controls() throws {
    let page = try String(
      contentsOf: ShippedScenario.folder.appending(path: "reference/programs.md"), encoding: .utf8)
    let rows = page.split(separator: "\n")
    for system in PageSystem.all {
      let controls = system.controls.map { "`\($0)`" }.joined(separator: ", ")
      #expect(
        rows.contains { $0.hasPrefix("| `\(system.name)` |") && $0.hasSuffix("| \(controls) |") }, "\(system.name)")
    }
    let diagnostics = { (program: String, control: String) in
      SampleScenario.file(
        #"{"scenario": 1, "name": "x", "program": "\#(program)", "steps": [{"at": "0ms", "do": "tap", "view": "photos", "control": "\#(control)"}]}"#,
        vocabulary: .shipped
      ).diagnostics.map(\.message)
    }
    #expect(diagnostics("photorama", "search moon") == [])
    #expect(
      diagnostics("photorama", "serch moon") == [
        #"unknown control "serch"; choose from reload, list, search, upload"#
      ])
    #expect(diagnostics("list-and-picture", "reload") == [#"the program "list-and-picture" has no controls"#])
  }

  private func file(_ program: String, _ steps: String, more: String = "") -> ScenarioFile {
    SampleScenario.file(
      #"{"scenario": 1, "name": "x", "program": "\#(program)", \#(more) "steps": [\#(steps)]}"#, vocabulary: .shipped)
  }

  @Test(
    "A step or view that a system does not support is an error at its place in the file",
    arguments: [
      (
        "slideshow", #""drop-model""#,
        #"the program "slideshow" does not support the step "drop-model""#
      ),
      ("photorama", #""memory-warning""#, #"the program "photorama" does not support the step "memory-warning""#),
      ("ios-concurrency", #""deselect""#, #"the program "ios-concurrency" does not support the step "deselect""#),
      ("photorama", #""appear", "view": "photo""#, #"unknown view "photo"; the only view is "photos""#),
      ("slideshow", #""appear""#, #"missing "view" for the step "appear" of the program "slideshow""#),
      (
        "image-fetcher", #""deselect", "view": "list""#,
        #"unknown view "list"; the only view is "detail""#
      ),
    ])
  func unknownSteps(_ program: String, _ step: String, _ message: String) throws {
    let diagnostics = file(program, #"{"at": "0ms", "do": "note", "text": ""}, {"at": "0ms", "do": \#(step)}"#)
      .diagnostics
    #expect(diagnostics.map(\.message) == [message])
    #expect(try #require(diagnostics.first).range.lowerBound > 60)
  }

  @Test("Every system accepts each step and view that it declares")
  func knownSteps() {
    for system in PageSystem.all {
      for (word, views) in system.steps {
        let rest = [
          "switch": #", "strategy": "async""#, "send": #", "headers": {"a": "b"}"#, "select": #", "image": "A""#,
        ]
        let control =
          word == "tap" ? #", "control": "\#(system.controls[0])""# : word == "cancel" ? #", "image": "A""# : ""
        for view in views.isEmpty ? [""] : views {
          let named = view.isEmpty ? "" : #", "view": "\#(view)""#
          let step = #"{"at": "0ms", "do": "\#(word)"\#(rest[word] ?? "")\#(control)\#(named)}"#
          let file = file(system.name, step, more: #""images": [{"id": "A", "path": "/a.png"}],"#)
          #expect(file.diagnostics.map(\.message) == [], "\(system.name): \(step)")
        }
      }
    }
  }

  @Test("A system without images starts with an empty list")
  func withoutImages() throws {
    let file = file("image-fetcher", #"{"at": "0ms", "do": "appear", "view": "split"}"#)
    let record = try #require(file.scenario).runVirtually("dataTask")
    #expect(record.events.first { $0.kind == .pageShow }?[.text]?.hasPrefix("0 favorites") == true)
  }

  @Test("A page reports a step for a row that does not exist, and does nothing else")
  func missedRows() throws {
    let steps = #"""
      {"at": "0ms", "do": "appear", "view": "photos"}, {"at": "0ms", "do": "wait-idle"},
      {"at": "0ms", "do": "select", "image": "A", "view": "photos"},
      {"at": "0ms", "do": "tap", "control": "upload", "view": "photos"}
      """#
    let file = file("photorama", steps, more: #""images": [{"id": "A", "path": "/a.png"}],"#)
    let record = try #require(file.scenario, "\(file.diagnostics)").runVirtually("dataTask")
    let texts = record.events.filter { $0.kind == .pageShow && $0[.error] == nil }.compactMap { $0[.text] }
    #expect(
      texts == [
        "loading", "no effect, because “A” does not exist", "no effect, because “upload” does not exist",
      ])
    #expect(record.events.count { $0.kind == .requestBegin } == 1)
  }

  @Test(
    "A scenario's header fields and limits apply to the requests of a system",
    arguments: ["dataTask", "downloadTask", "async", "socket"])
  func headersAndLimits(_ strategy: String) throws {
    let list =
      #"{"photos": {"photo": [{"id": "1", "title": "A", "datetaken": "2017-01-01 12:32:06", "url_h": "{origin}/a.png"}]}}"#
    let origin = #"""
      "images": [{"id": "A", "path": "/a.png"}], "limits": {"deadline": "2s", "retries": 1},
      "origin": {"routes": [
        {"path": "/services/rest", "responses": [{"when": {"X-Token": "1"}, "body": {"json": \#(list)}}, {"latency": "3s"}]},
        {"path": "/a.png", "responses": [{"status": 503}, {}]}]},
      "expect": [{"count": {"event": "request.begin", "header": "x-token: 1", "atLeast": 1}}],
      """#
    let steps = #"""
      {"at": "0ms", "do": "appear", "view": "photos"}, {"at": "0ms", "do": "wait-idle"},
      {"at": "0ms", "do": "send", "headers": {"X-Token": "1"}},
      {"at": "0ms", "do": "tap", "control": "reload", "view": "photos"}
      """#
    let file = file("photorama", steps, more: origin)
    let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    let record = scenario.runVirtually(strategy)
    // Without the field, the list is too slow. With it, the list arrives, and the picture is retried after its 503.
    #expect(record.events.first { $0.kind == .pageShow && $0[.error] != nil }?[.error] == "timedOut")
    #expect(record.final.images["A"] == .loaded)
    #expect(record.events.count { $0.kind == .requestBegin && $0[.header] == "x-token: 1" } == 3)
  }

  @Test("A system leaves no model and no subscription behind", arguments: systems)
  func leaks(_ shipped: ShippedScenario) throws {
    let scenario = try shipped.scenario
    let record = scenario.runVirtually(try #require(scenario.plannedStrategies.first))
    #expect(record.leaks == Scenario.Leaks())
  }
}

extension ProgramContext {
  /// Returns the same context on another bus.
  fileprivate func on(_ bus: EventBus) -> ProgramContext {
    ProgramContext(
      scenario: scenario, strategy: strategy, ownStrategy: ownStrategy, runtime: runtime, bus: bus, loader: loader,
      recorder: recorder, base: base, addresses: addresses, owner: owner, owners: owners,
      networkUse: networkUse)
  }
}
