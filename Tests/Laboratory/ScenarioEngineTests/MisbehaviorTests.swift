import EventBus
import Foundation
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// For each invariant and each kind of expectation, a program that breaks it and a similar program that does not.
@Suite(.computing) struct MisbehaviorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The prefix of the failure's name: an invariant or a kind of expectation.
    let subject: String
    let what: String
    var expectation: String?
    var members = ""
    let bad: ScriptedProgram.Act
    let good: ScriptedProgram.Act
    var testDescription: String { "\(subject): \(what)" }

    init(
      _ subject: Invariant, _ what: String, _ members: String = "", bad: @escaping ScriptedProgram.Act,
      good: @escaping ScriptedProgram.Act
    ) {
      (self.subject, self.what, self.members, self.bad, self.good) = (subject.rawValue, what, members, bad, good)
    }

    init(
      _ subject: String, _ expectation: String, bad: @escaping ScriptedProgram.Act, good: @escaping ScriptedProgram.Act
    ) {
      (self.subject, what, self.expectation, self.bad, self.good) = (subject, expectation, expectation, bad, good)
    }

    /// Returns a scenario in which the view appears, selects A and disappears. The time between the steps lets the program act.
    func file() -> ScenarioFile {
      SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}, {"id": "B", "path": "/b"}], \#(members)
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"},
          {"at": "60ms", "do": "memory-warning"}, {"at": "100ms", "do": "disappear"}, {"at": "200ms", "do": "memory-warning"}],
         "expect": [\#(expectation ?? "")]}
        """#)
    }
  }

  /// Runs an action when A is selected.
  private static func chosen(_ act: @escaping @Sendable (ProgramContext) -> Void) -> ScriptedProgram.Act {
    { action, context, _ in
      if case .select = action { act(context) }
    }
  }

  private static let invariants: [Case] = [
    Case(
      .uiOffMain, "drawing where the answer came",
      bad: chosen { context in context.runtime.workers.schedule { context.draw("placeholder") } },
      good: chosen { context in
        context.runtime.workers.schedule { context.runtime.main.schedule { context.draw("placeholder") } }
      }),
    Case(
      .staleImage, "another picture than the chosen one", bad: chosen { $0.draw("B") }, good: chosen { $0.draw("A") }),
    Case(
      .staleImage, "an answer that was not given yet",
      #""origin": {"routes": [{"path": "/a", "responses": [{"body": "A"}, {"body": "B"}]}]},"#,
      bad: chosen { context in context.request { context.later(0) { context.draw("B") } } },
      good: chosen { context in
        context.request { context.request { context.later(0) { context.draw("B") } } }
      }),
    Case(
      .updateAfterDisappear, "a timer that nobody stopped",
      bad: chosen { context in context.later(91) { context.draw("placeholder") } },
      good: chosen { context in context.later(89) { context.draw("placeholder") } }),
    Case(
      .duplicateFetch, "two requests at a time",
      bad: chosen { context in
        context.request()
        context.request()
      },
      good: chosen { context in context.request { context.request() } }),
    Case(
      .duplicateFetch, "a second request although the first goes on",
      #""origin": {"default": {"latency": "20ms"}},"#,
      bad: chosen { context in
        context.request()
        context.later(10) { context.request() }
      },
      good: chosen { context in
        let first = context.request()
        context.later(10) {
          first.cancel()
          context.request()
        }
      }),
    Case(
      .duplicateFetch, "a second request before the answer to the first is known",
      #""origin": {"default": {"status": 503, "latency": "20ms", "body": {"bytes": 1000}, "bandwidth": 20000}},"#,
      bad: chosen { context in
        context.request()
        context.later(19) { context.request() }
      },
      good: chosen { context in
        context.request()
        context.later(21) { context.request() }
      }),
    Case(
      .completedTwice, "an end too many",
      bad: chosen { $0.record(.fetchStart, .fetchDone, .fetchFailed) },
      good: chosen { $0.record(.fetchStart, .fetchDone, .fetchStart, .fetchFailed) }),
    Case(
      .neverCompleted, "two beginnings and one end", bad: chosen { $0.record(.fetchStart, .fetchStart, .fetchDone) },
      good: chosen { $0.record(.fetchStart, .fetchStart, .fetchDone, .fetchDone) }),
    Case(
      .leakedModel, "a model that is kept", bad: { _, _, program in program.end(models: 1) },
      good: { _, _, program in program.end(models: 0) }),
    Case(
      .leakedSubscription, "a subscription that is kept",
      bad: { _, _, program in program.subscribe(forEver: true) },
      good: { _, _, program in program.subscribe(forEver: false) }),
    Case(
      .deliveredAfterCancel, "an end after the cancel",
      bad: chosen { $0.record(.fetchStart, .fetchCancelled, .fetchDone) },
      good: chosen { $0.record(.fetchStart, .fetchCancelled, .fetchStart, .fetchDone) }),
    Case(
      .deliveredAfterCancel, "a call after the end of a subscription", bad: call(after: .main),
      good: call(after: .workers)
    ),
    Case(
      .subscribedAfterDisappear, "a subscription that outlasts its view", bad: page(forgets: true),
      good: page(forgets: false)),
    Case(
      .deadlock, "a gate that nobody opens",
      bad: chosen { context in
        let gate = context.runtime.gate()
        context.runtime.workers.schedule { gate.wait() }
      },
      good: chosen { context in
        let gate = context.runtime.gate()
        context.runtime.workers.schedule { gate.wait() }
        context.later(10) { gate.open() }
      }),
    Case(
      .starvedPool, "more blocked workers than there are", #""pool": {"model": "fixed", "width": 2},"#,
      bad: block(workers: 3), good: block(workers: 2)),
    Case(
      .livelock, "work that makes work", bad: chosen { again($0, .max) }, good: chosen { again($0, 1000) }),
  ]

  private static let expectations: [Case] = [
    Case(
      "final", #"{"final": {"detail.shown": "A"}}"#, bad: chosen { $0.draw("placeholder") },
      good: chosen { $0.draw("A") }),
    Case(
      "final", #"{"final": {"detail.visible": false}}"#,
      bad: { _, _, program in program.end(visible: ["detail": true]) },
      good: { _, _, program in program.end(visible: ["detail": false]) }),
    Case(
      "final", #"{"final": {"A.state": "loaded"}}"#, bad: { _, _, program in program.end(images: ["A": .failed]) },
      good: { _, _, program in program.end(images: ["A": .loaded, "B": .failed]) }),
    Case(
      "never", #"{"never": {"event": "fetch.failed", "image": "A"}}"#,
      bad: chosen { $0.record(.fetchStart, .fetchFailed) },
      good: chosen { $0.record(.fetchStart, .fetchFailed, of: "B") }),
    Case(
      "always", #"{"always": {"event": "ui.update", "is": {"shown": "A"}}}"#,
      bad: chosen { context in
        context.draw("A")
        context.draw("placeholder")
      }, good: chosen { $0.draw("A") }),
    Case(
      "always", #"{"always": {"event": "ui.update", "is": {"lane": "main"}}}"#, bad: { _, _, _ in },
      good: chosen { $0.draw("A") }),
    Case(
      "count", #"{"count": {"event": "fetch.start", "equals": 2}}"#,
      bad: chosen { $0.record(.fetchStart, .fetchDone, .fetchStart, .fetchDone, .fetchStart, .fetchDone) },
      good: chosen { $0.record(.fetchStart, .fetchDone, .fetchStart, .fetchDone) }),
    Case(
      "nth", #"{"nth": {"event": "ui.update", "number": 2, "is": {"shown": "A"}}}"#,
      bad: chosen { context in
        context.draw("A")
        context.draw("placeholder")
      },
      good: chosen { context in
        context.draw("placeholder")
        context.draw("A")
      }),
    Case(
      "nth", #"{"nth": {"event": "ui.update", "number": 2, "is": {"shown": "A"}}}"#, bad: chosen { $0.draw("A") },
      good: chosen { context in for _ in 0..<2 { context.draw("A") } }),
    Case(
      "atOnce", #"{"atOnce": {"event": "fetch.start", "atMost": 1}}"#,
      bad: chosen { $0.record(.fetchStart, .fetchStart, .fetchDone, .fetchDone) },
      good: chosen { $0.record(.fetchStart, .fetchDone, .fetchStart, .fetchFailed) }),
    Case(
      "apart", #"{"apart": {"event": "ui.update", "atLeast": "20ms"}}"#,
      bad: chosen { context in
        context.draw("A")
        context.later(19) { context.draw("A") }
      },
      good: chosen { context in
        context.draw("A")
        context.later(20) { context.draw("A") }
      }),
    Case(
      "order", #"{"order": [{"event": "ui.update", "shown": "placeholder"}, {"event": "ui.update", "shown": "A"}]}"#,
      bad: chosen { context in
        context.draw("A")
        context.draw("placeholder")
      },
      good: chosen { context in
        context.draw("placeholder")
        context.draw("A")
      }),
    Case(
      "within", #"{"within": {"event": "ui.update", "after": {"event": "view.select"}, "limit": "20ms"}}"#,
      bad: chosen { context in context.later(21) { context.draw("placeholder") } },
      good: chosen { context in context.later(20) { context.draw("placeholder") } }),
    Case(
      "outcome", #"{"outcome": {"image": "A", "is": "loaded"}}"#,
      bad: chosen { $0.record(.fetchStart, .fetchDone, .modelDrop, .fetchStart, .modelDrop, .fetchCancelled) },
      good: chosen { $0.record(.fetchStart, .modelDrop, .fetchCancelled, .fetchStart, .fetchDone) }),
    Case(
      "leaks", #"{"leaks": {"models": 1}}"#, bad: { _, _, program in program.end(models: 2) },
      good: { _, _, program in program.end(models: 1) }),
    Case(
      "lane", #"{"lane": {"event": "fetch.start", "is": "main"}}"#,
      bad: chosen { context in
        context.runtime.workers.schedule { context.record(.fetchStart, .fetchDone) }
      }, good: chosen { $0.record(.fetchStart, .fetchDone) }),
    Case(
      "lane", #"{"lane": {"event": "fetch.start", "is": "main"}}"#, bad: { _, _, _ in },
      good: chosen { $0.record(.fetchStart, .fetchDone) }),
    Case(
      "stall", #"{"stall": {"atMost": "16ms"}}"#, bad: stall(milliseconds: 17), good: stall(milliseconds: 15)),
  ]

  /// Returns a page that subscribes when it appears.
  private static func page(forgets: Bool) -> ScriptedProgram.Act {
    { action, _, program in
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

  /// Delivers an event after the unsubscribe, on a lane where the delivery is late or allowed.
  private static func call(after lane: TraceLane) -> ScriptedProgram.Act {
    chosen { context in
      let values: TraceValues = [.topic: "t", .subscriber: "s"]
      for kind in [TraceKind.busSubscribe, .busPost, .busUnsubscribe] { context.recorder.record(kind, values) }
      let place = lane == .main ? context.runtime.main : context.runtime.workers
      place.schedule { context.recorder.record(.busDeliver, values) }
    }
  }

  private static func block(workers count: Int) -> ScriptedProgram.Act {
    chosen { context in
      for _ in 0..<count {
        let gate = context.runtime.gate()
        context.runtime.workers.schedule { gate.wait() }
        context.later(10) { gate.open() }
      }
    }
  }

  private static func again(_ context: ProgramContext, _ count: Int) {
    guard count > 0 else { return }
    context.runtime.main.schedule { again(context, count - 1) }
  }

  private static func stall(milliseconds: Int) -> ScriptedProgram.Act {
    chosen { context in
      let gate = context.runtime.gate()
      _ = context.runtime.workers.schedule(after: .milliseconds(milliseconds)) { gate.open() }
      gate.wait()
    }
  }

  private func failures(_ test: Case, _ act: @escaping ScriptedProgram.Act) throws -> [ScenarioOutcome.Failure] {
    let file = test.file()
    let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    let runner = VirtualScenarioRunner(scenario: scenario, folder: packageRoot) { ScriptedProgram($0, act) }
    let record = runner.run("dataTask")
    return ScenarioOutcome(of: scenario, file.source, strategy: "dataTask", clock: .virtual, record).failures
  }

  @Test(
    "Each misbehavior breaks exactly its invariant or expectation, and a similar correct program passes",
    arguments: invariants + expectations)
  func caught(_ test: Case) throws {
    let found = try failures(test, test.bad)
    #expect(found.count == 1, "\(found.map(\.message))")
    #expect(found.first?.expectation.hasPrefix(test.subject) == true, "\(found.map(\.message))")
    #expect(try failures(test, test.good).map(\.message) == [])
  }

  @Test("The cases cover every expectation and every invariant except the fatal one")
  func complete() {
    #expect(
      Set(Self.invariants.map(\.subject)) == Set(Invariant.allCases.map(\.rawValue)).subtracting(["reentrant-state"]))
    let kinds = ExpectationForm.expectation.schema.keys.map(\.name).filter { $0 != "why" }
    #expect(Set(Self.expectations.map(\.subject)) == Set(kinds))
  }
}
