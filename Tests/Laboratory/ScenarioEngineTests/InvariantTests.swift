import ScenarioSamples
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// Each invariant, tested with the smallest record that breaks it.
@Suite struct InvariantTests {
  /// A record that breaks an invariant, and a similar record that does not.
  struct Pair: Sendable, CustomTestStringConvertible {
    let invariant: Invariant
    let bad: RunRecord
    let good: RunRecord
    var testDescription: String { invariant.rawValue }
  }

  private typealias Event = (TraceKind, TraceValues)

  static let pairs: [Pair] = {
    let appear: Event = (.viewAppear, [.view: "v"])
    let disappear: Event = (.viewDisappear, [.view: "v"])
    let select: Event = (.viewSelect, [.view: "v", .image: "A"])
    let start: Event = (.fetchStart, [.image: "A"])
    let done: Event = (.fetchDone, [.image: "A"])
    let cancelled: Event = (.fetchCancelled, [.image: "A"])
    let begin: Event = (.requestBegin, [.image: "A", .path: "/a"])
    let end: Event = (.requestEnd, [.image: "A", .path: "/a"])
    let draw = { (shown: String, lane: String) -> Event in (.uiUpdate, [.view: "v", .shown: shown, .lane: lane]) }
    let pair = { (invariant: Invariant, bad: [Event], good: [Event]) in
      Pair(invariant: invariant, bad: RunRecord(trace: bad), good: RunRecord(trace: good))
    }
    let change = { (invariant: Invariant, change: (inout RunRecord) -> Void, other: (inout RunRecord) -> Void) in
      var (bad, good) = (RunRecord(trace: [appear]), RunRecord(trace: [appear]))
      change(&bad)
      other(&good)
      return Pair(invariant: invariant, bad: bad, good: good)
    }
    return [
      pair(.uiOffMain, [appear, draw("nothing", "workers")], [appear, draw("nothing", "main")]),
      pair(.staleImage, [appear, select, draw("B", "main")], [appear, select, draw("A", "main")]),
      pair(
        .updateAfterDisappear, [appear, disappear, draw("nothing", "main")],
        [appear, draw("nothing", "main"), disappear]),
      pair(.duplicateFetch, [begin, begin, end, end], [begin, end, begin, end]),
      pair(.completedTwice, [start, done, done], [start, done, start, done]),
      pair(.neverCompleted, [start], [start, done]),
      pair(.deliveredAfterCancel, [start, cancelled, done], [start, cancelled, start, done]),
      change(
        .subscribedAfterDisappear,
        { $0.hiddenSubscriber = RunRecord.HiddenSubscriber(view: "v", topic: "ImageFetched", position: 1) },
        { $0.final.visible = ["v": false] }),
      change(.leakedModel, { $0.leaks.models = 1 }, { $0.leaks.models = 0 }),
      change(.leakedSubscription, { $0.leaks.subscriptions = 1 }, { $0.leaks.subscriptions = 0 }),
      change(.deadlock, { $0.termination = .deadlocked(waiting: ["main"]) }, { $0.termination = .waiting(step: 0) }),
      change(.starvedPool, { $0.poolStarved = true }, { $0.longestStall = .seconds(1) }),
      change(.livelock, { $0.termination = .endless(.closures(5)) }, { $0.termination = .fetching }),
    ]
  }()

  @Test("Each invariant fails in the record that breaks it, and passes in a similar record", arguments: pairs)
  func found(_ pair: Pair) throws {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}, {"id": "B", "path": "/b"}],
       "steps": [{"at": "0ms", "do": "select", "image": "A"}]}
      """#)
    let scenario = try #require(file.scenario)
    #expect(InvariantJudge.violations(of: scenario, in: pair.bad).map(\.subject) == [pair.invariant.rawValue])
    #expect(InvariantJudge.violations(of: scenario, in: pair.good) == [])
  }

  @Test("The pairs cover every invariant except the one that ends the program")
  func complete() {
    #expect(Set(Self.pairs.map(\.invariant)) == Set(Invariant.allCases).subtracting([.reentrantState]))
    #expect(Self.pairs.count == Invariant.allCases.count - 1)
  }

  @Test("A deadlock failure names the waiting schedulers, and a livelock failure states its count")
  func messages() throws {
    let scenario = try #require(SampleScenario.file(#"{"scenario": 1, "name": "x", "steps": []}"#).scenario)
    let messages = [
      (RunRecord.Termination.deadlocked(waiting: ["main", "workers"]), "blocked forever: main, workers"),
      (.endless(.events(7)), "no end after 7 events"),
      (.endless(.closures(8)), "no end after 8 closures"),
      (.endless(.closuresAtOnce(9)), "no end after 9 closures at one moment of the virtual clock"),
    ]
    for (termination, message) in messages {
      var record = RunRecord()
      record.termination = termination
      #expect(InvariantJudge.violations(of: scenario, in: record).map(\.message) == [message])
    }
  }
}
