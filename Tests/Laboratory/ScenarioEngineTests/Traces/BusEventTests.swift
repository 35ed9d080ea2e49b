import EventBus
import FetcherModel
import Foundation
import OriginServer
import ScenarioSamples
import TestMachine
import Testing
import TutorialApps

@testable import ScenarioEngine
@testable import ScenarioFormat

/// The bus events in the record of a run.
@Suite(.computing) struct BusEventTests {
  fileprivate static func shipped(_ name: String) throws -> ShippedScenario {
    try #require(ShippedScenario.all.first { $0.name == name })
  }

  private func record(_ name: String, _ strategy: String = "dataTask") throws -> RunRecord {
    VirtualScenarioRunner(
      scenario: try Self.shipped(name).scenario, folder: ShippedScenario.folder, showsBus: true
    ).run(strategy)
  }

  @Test("The timeline shows the subscribers of each posted event", arguments: Vocabulary.shipped.strategies)
  func timeline(_ strategy: String) throws {
    let shipped = try Self.shipped("late-response")
    let record = try record("late-response", strategy)
    let outcome = try shipped.outcome(strategy, .virtual, record)
    let lines = Timeline(record, outcome).lines()
    #expect(lines[0].split(separator: " ") == ["event", "ms", "user", "main", "bus", "workers", "origin"])
    for text in [
      "detail subscribes to ImageFetched B", "detail unsubscribes from ImageFetched A", "ImageFetched B -> detail",
      "ImageFetched B delivered to detail", "ImageFetched A -> no subscriber",
    ] {
      #expect(lines.count { $0.contains(text) } == 1, "\(text)")
    }
    let plain = Timeline(record, outcome, showsBus: false).lines()
    #expect(plain == Timeline(events: record.events, failures: outcome.failuresByEvent).lines())
  }

  @Test("The timeline puts every bus event into the bus column, whatever its lane")
  func column() throws {
    let shipped = try Self.shipped("bus-lanes")
    let record = try record("bus-lanes")
    let outcome = try shipped.outcome("dataTask", .virtual, record)
    let lines = Timeline(record, outcome).lines()
    let place = try #require(lines[0].range(of: "bus")).lowerBound.utf16Offset(in: lines[0])
    let steps = lines.filter { $0.contains("saved") }
    #expect(steps.count == 7)
    for line in steps { #expect(line.dropFirst(place).first != " " && line.prefix(place).last == " ", "\(line)") }
    #expect(steps.contains { $0.hasSuffix("saved delivered to disk on a worker") })
    let plain = Timeline(record, outcome, showsBus: false).lines()
    #expect(plain[0].split(separator: " ") == ["event", "ms", "user", "main", "workers", "origin"])
    #expect(plain.count { $0.contains("bus.deliver saved") } == 3)
  }

  @Test(
    "Showing the bus does not change any event of the run, and schedules nothing",
    arguments: LongTests.some(of: ShippedScenario.all, every: 3))
  func sameRun(_ shipped: ShippedScenario) throws {
    let scenario = try shipped.scenario
    guard scenario.clocks.contains(.virtual) else { return }
    for strategy in scenario.plannedStrategies {
      let shown = try record(shipped.name, strategy)
      let judged = try shipped.runVirtually(strategy)
      #expect(judged.annotations.isEmpty)
      #expect(shown.steps == judged.steps)
      #expect(shown.marks == judged.marks)
      let isSame = shown.events.map(\.asJudged) == judged.events.map(\.asJudged)
      #expect(isSame, "\(strategy)")
    }
  }

  @Test(
    "Repeated runs that show the bus record the same events",
    arguments: ["late-response", "bus-lanes", "bus-two-pages"])
  func same(_ name: String) throws {
    let runs = try (0..<LongTests.times(8, long: 500)).map { _ in
      let record = try record(name, "async")
      return record.shown.map { "\($0.number ?? 0) \($0.event)" }
    }
    #expect(runs[0].contains { $0.contains("busDeliver") })
    #expect(Set(runs).count == 1)
  }

  @Test("A delivery and its drawing share one turn of main, which is later than the post's turn")
  func turns() throws {
    let events = try record("late-response").shown.map(\.event)
    let delivery = try #require(events.firstIndex { $0.kind == .busDeliver })
    let post = try #require(events[..<delivery].last { $0.kind == .busPost && $0[.subscriber] == "detail" }?.turn)
    let drawing = try #require(events[delivery...].first { $0.kind == .uiUpdate })
    #expect(drawing.turn == events[delivery].turn)
    #expect(post < drawing.turn ?? 0)
    let turns = events.compactMap(\.turn)
    #expect(turns == turns.sorted() && turns.first == 1)
    #expect(events.allSatisfy { ($0.turn == nil) == ($0[.lane] == "workers" || $0[.lane] == "origin") })
  }

  @Test("A trace has an arrow from each post to each of its deliveries")
  func flows() throws {
    let scenario = try Self.shipped("bus-two-pages").scenario
    let record = VirtualScenarioRunner(
      scenario: scenario, folder: ShippedScenario.folder, tracesClosures: true, showsBus: true
    ).run("dataTask")
    let check = try WrittenTrace(record).check
    #expect(check.problems == [])
    #expect(check["s"].count { $0.name == "deliver" } == 2)
    let slices = check["X"].filter { $0.cat == "bus" }
    #expect(slices.map(\.name).contains("ImageFetched A -> left, right"))
    #expect(MermaidDiagram(events: record.events).lines.contains { $0.hasPrefix("  bus->>main: ") })
  }

  @Test("The recorder does not subscribe to the bus")
  func noSubscription() throws {
    let counts = Locked<[Int]>([])
    let scenario = try #require(
      SampleScenario.file(
        #"{"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}]}"#
      ).scenario)
    _ = VirtualScenarioRunner(
      scenario: scenario, folder: packageRoot,
      program: { context in
        let program = ListAndPicture(context)
        let image = IFImage(name: "A", url: context.addresses["A"] ?? "", in: context.environment())
        context.later(1) { _ = image.image }
        context.later(5) { counts.withLock { $0.append(context.bus.subscriptions.count) } }
        return program
      }, showsBus: true
    ).run("dataTask")
    #expect(counts.withLock { $0 } == [0])
  }

  @Test("Each event of the model has a reserved topic, which a step cannot use", arguments: ModelTopic.allCases)
  func topics(_ topic: ModelTopic) {
    let types: [any Event.Type] = [
      ImageFetchStarted.self, ImageFetchProgress.self, ImageFetched.self, ImageFetchFailed.self,
      ImageFetchCancelled.self, ServiceChanged.self, ServiceFailed.self, SlidePictureFetched.self,
      SlidePictureFailed.self, SlideFavoriteChanged.self, ServiceResponded.self,
    ]
    #expect(types.count == ModelTopic.allCases.count)
    #expect(types.contains { "\($0)" == topic.rawValue })
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x",
       "steps": [{"at": "0ms", "do": "subscribe", "subscriber": "a", "topic": "\#(topic.rawValue)"},
                 {"at": "0ms", "do": "subscribe", "subscriber": "none", "topic": "b"}]}
      """#)
    #expect(file.diagnostics.map(\.code) == [.wrongValue, .wrongValue])
  }

  @Test("A step can wait for a delivery, and runs the given time after it")
  func wait() throws {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}],
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
                 {"after": {"event": "bus.deliver", "topic": "ImageFetched", "image": "A"}, "plus": "7ms",
                  "do": "note", "text": "n"}]}
      """#)
    let record = VirtualScenarioRunner(scenario: try #require(file.scenario), folder: packageRoot).run("dataTask")
    let delivery = try #require(record.events.first { $0.kind == .busDeliver })
    let note = try #require(record.events.first { $0.kind == .note })
    #expect(note.time == delivery.time + .milliseconds(7))
    #expect(record.termination == nil)
  }

  // MARK: Subscriptions of hidden views

  /// Returns a page that subscribes when it appears, and that may forget to unsubscribe when it disappears.
  fileprivate static func page(forgets: Bool) -> ProgramRegistry.Make {
    { context in
      ScriptedProgram(context) { action, _, program in
        switch action {
        case .appear:
          program.subscribe(as: "detail")
          program.end(visible: ["detail": true])
        case .disappear:
          if !forgets { program.unsubscribe() }
          program.end(visible: ["detail": false])
        default: break
        }
      }
    }
  }

  fileprivate static let pageSteps = SampleScenario.file(
    #"""
    {"scenario": 1, "name": "x",
     "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "disappear"},
               {"at": "20ms", "do": "note", "text": "n"}]}
    """#)

  fileprivate static func failures(_ record: RunRecord, _ clock: Scenario.Clock) throws -> [String] {
    let scenario = try #require(pageSteps.scenario)
    return ScenarioOutcome(of: scenario, pageSteps.source, strategy: "dataTask", clock: clock, record).failures.map {
      $0.message
    }
  }

  fileprivate static let forgotten =
    "subscribed-after-disappear: \"detail\" is subscribed to ImageFetched after a step, although it is not visible "
    + "(event 2, t = 10 ms)"

  @Test("A run reports the name of a hidden view that is still subscribed", arguments: [true, false])
  func hidden(_ forgets: Bool) throws {
    let scenario = try #require(Self.pageSteps.scenario)
    let record = VirtualScenarioRunner(
      scenario: scenario, folder: packageRoot, program: Self.page(forgets: forgets)
    ).run("dataTask")
    #expect(try Self.failures(record, .virtual) == (forgets ? [Self.forgotten] : []))
  }
}

extension RunsOverSockets {
  @Suite struct BusEventTests {
    private func run(
      _ scenario: Scenario, _ strategy: String = "dataTask", _ program: ProgramRegistry.Make? = nil
    ) async throws -> RunRecord {
      let origin = try OriginServer(content: OriginContent())
      defer { origin.stop() }
      return await ScenarioRunner(
        scenario: scenario, folder: ShippedScenario.folder, origin: origin, runtime: UncrowdedRuntime(),
        program: program, timeout: .seconds(120), showsBus: true
      ).run(strategy)
    }

    @Test(
      "On the real clock, no event in the timeline precedes its cause",
      arguments: ["late-response", "bus-lanes", "bus-two-pages"])
    func causes(_ name: String) async throws {
      let scenario = try ScenarioEngineTests.BusEventTests.shipped(name).scenario
      for _ in 0..<LongTests.times(4, long: 200) {
        let events = try await run(scenario).shown.map(\.event)
        #expect(BusOrder.problems(in: events) == [])
        #expect(events.contains { $0.kind == .busDeliver })
      }
    }

    @Test("On the real clock, an event that is posted late has no subscriber", arguments: Vocabulary.shipped.strategies)
    func late(_ strategy: String) async throws {
      let scenario = try ScenarioEngineTests.BusEventTests.shipped("late-response").scenario
      let captions = try await run(scenario, strategy).shown.map(\.event.busCaption)
      #expect(captions.contains("ImageFetched B -> detail"))
      #expect(captions.contains("ImageFetched A -> no subscriber"))
    }

    @Test("A run on the real clock also reports a hidden view that is still subscribed", arguments: [true, false])
    func hidden(_ forgets: Bool) async throws {
      let scenario = try #require(ScenarioEngineTests.BusEventTests.pageSteps.scenario)
      let record = try await run(scenario, "dataTask", ScenarioEngineTests.BusEventTests.page(forgets: forgets))
      let failures = try ScenarioEngineTests.BusEventTests.failures(record, .real)
      let name = "subscribed-after-disappear: \"detail\" is subscribed to ImageFetched after a step"
      #expect(failures.count == (forgets ? 1 : 0))
      #expect(failures.allSatisfy { $0.hasPrefix(name) })
    }
  }
}

@Suite("Deliveries and their posts") struct BusCauseTests {
  private func event(_ kind: TraceKind, _ image: String? = "A", _ subscriber: String = "detail") -> RunEvent {
    var values: TraceValues = [.topic: "ImageFetched", .subscriber: subscriber]
    values[.image] = image
    return RunEvent(kind: kind, time: .zero, values: values)
  }

  @Test("Each subscription of one name receives each post once, in the order of the posts")
  func twins() {
    let twice = [event(.busSubscribe), event(.busSubscribe)]
    let posts = [event(.busPost), event(.busPost)]
    let deliveries = Array(repeating: event(.busDeliver), count: 4)
    #expect(BusCauses.posts(of: twice + posts + deliveries) == [4: 2, 5: 2, 6: 3, 7: 3])
    // One of the two has ended, and the other one is to the whole topic.
    let mixed = [event(.busSubscribe), event(.busSubscribe, nil), event(.busUnsubscribe)]
    #expect(BusCauses.posts(of: mixed + posts + deliveries.prefix(2)) == [5: 3, 6: 4])
  }

  @Test("A delivery whose subscription is unknown belongs to the earliest post that it can receive")
  func unknown() {
    #expect(BusCauses.posts(of: [event(.busPost), event(.busPost), event(.busDeliver)]) == [2: 0])
  }
}

/// The order that causes impose on the bus events of a run.
private enum BusOrder {
  static func problems(in events: [RunEvent]) -> [String] {
    let steps = events.enumerated().filter { $0.element.kind.isOfBus }
    let posts = BusCauses.posts(of: steps.map(\.element))
    var subscribed: [String: Int] = [:]
    var problems: [String] = []
    for (number, (place, step)) in steps.enumerated() {
      let name = [step[.subscriber], step[.topic], step[.image]].compactMap(\.self).joined(separator: " ")
      switch step.kind {
      case .busSubscribe: subscribed[name, default: 0] += 1
      case .busDeliver:
        if subscribed[name] == nil { problems.append("\(place): \(step.summary) precedes its subscription") }
        if posts[number] == nil { problems.append("\(place): \(step.summary) precedes its post") }
      default: break
      }
    }
    for (place, event) in events.enumerated() where event.kind == .uiUpdate && event[.image] == event[.shown] {
      let cause = events[..<place].last { $0.turn == event.turn && $0.turn != nil && $0.kind == .busDeliver }
      if cause?[.image] != event[.image] { problems.append("\(place): \(event.summary) precedes its delivery") }
    }
    return problems
  }
}

extension RunEvent {
  /// The subscribers of a post are known only if the run shows the bus. Such a run also numbers more turns.
  fileprivate var asJudged: RunEvent {
    var event = self
    event.turn = nil
    if kind == .busPost { event.values[.subscriber] = nil }
    return event
  }
}

extension ScenarioOutcome {
  fileprivate var failuresByEvent: [Int: [String]] {
    Dictionary(failures.compactMap { failure in failure.step.map { ($0, [failure.message]) } }, uniquingKeysWith: +)
  }
}
