import EventBus
import Foundation
import PlainText
import ScenarioSamples
import TestMachine
import Testing
import VirtualTime

@testable import ScenarioEngine
@testable import ScenarioFormat

/// The time limit at which a run on the real clock is cut off. The tests use a virtual clock, so they do not wait.
@Suite struct RunTimeoutTests {
  private static let timeout = Duration.seconds(10)

  private func run(_ steps: String, _ strategy: String = "dataTask") throws -> (
    outcome: ScenarioOutcome, record: RunRecord
  ) {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x",
       "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}, {"id": "C", "path": "/c.png"}],
       "origin": {"default": {"latency": "7s"}, "routes": [{"path": "/c.png", "responses": [{"latency": "11s"}]}]},
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}, \#(steps)]}
      """#)
    let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    let runtime = VirtualRuntime(pool: .fixed(width: 2))
    let network = SimulatedNetwork(ScenarioOrigin(scenario, folder: packageRoot), runtime)
    let session = ScenarioSession(
      scenario, strategy: strategy, { ListAndPicture($0) }, on: runtime, network, timeout: Self.timeout)
    let ends = Locked<[RunRecord]>([])
    runtime.scheduleOnMain {
      session.start { termination in
        var record = session.record
        record.termination = termination
        let complete = record
        ends.withLock { $0.append(complete) }
      }
    }
    runtime.run()
    let records = ends.withLock { $0 }
    #expect(records.count == 1)
    let record = try #require(records.first)
    return (ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .real, record), record)
  }

  @Test("The timeout restarts after each step, for every kind of wait")
  func timeoutStartsAnew() throws {
    let selectB = #"{"after": {"event": "fetch.done", "image": "A"}, "do": "select", "image": "B"}"#
    for (steps, seconds) in [
      (selectB, 14), (#"{"at": "0ms", "do": "wait-idle"}, {"at": "0ms", "do": "select", "image": "B"}"#, 14),
      (#"{"after": {"event": "fetch.done", "image": "A"}, "plus": "20s", "do": "select", "image": "B"}"#, 34),
      (selectB + #", {"after": {"event": "fetch.done", "image": "B"}, "do": "disappear"}"#, 14),
    ] {
      let (outcome, record) = try run(steps)
      #expect(outcome.failures.map(\.message) == [], "\(steps)")
      #expect(record.duration == .seconds(seconds), "\(steps)")
    }
  }

  @Test("A run that is cut off after its last step names its pending work")
  func timeoutAfterTheLastStep() throws {
    let (outcome, record) = try run(
      #"{"after": {"event": "fetch.done", "image": "A"}, "do": "select", "image": "C"}"#)
    #expect(record.termination == .outOfTime(next: nil))
    #expect(record.duration == .seconds(17))
    #expect(
      outcome.failures.map(\.message) == [
        #"end: the run was cut off after 17000 ms; still in flight: the fetch of "C"; "#
          + #"shorten the scenario, or exclude the real clock with "clocks": ["virtual"]"#
      ])
  }

  @Test("A run that is cut off reports a blocking read that continues after its cancel")
  func timeoutWithARead() throws {
    let (outcome, record) = try run(
      #"""
      {"at": "0ms", "do": "select", "image": "C"},
      {"after": {"event": "request.begin", "image": "C"}, "do": "cancel", "image": "C"}
      """#, "blocking")
    #expect(record.termination == .outOfTime(next: nil))
    #expect(
      outcome.failures.map(\.message) == [
        #"end: the run was cut off after 10000 ms; still in flight: a request for "/c.png"; "#
          + #"shorten the scenario, or exclude the real clock with "clocks": ["virtual"]"#
      ])
  }

  @Test(
    "A run is cut off at a step whose awaited event does not happen, and the failure names the step",
    arguments: [("", 10), (#"{"at": "0ms", "do": "wait-idle"}, "#, 17), (#"{"at": "1s", "do": "disappear"}, "#, 11)])
  func waitingInVain(_ before: String, _ seconds: Int) throws {
    let (outcome, record) = try run(before + #"{"after": {"event": "fetch.failed", "image": "A"}, "do": "deselect"}"#)
    let step = before.isEmpty ? 2 : 3
    #expect(record.termination == .waitingTooLong(step: step))
    #expect(record.duration == .seconds(seconds))
    #expect(
      outcome.failures.map(\.message) == [
        "step \(step + 1) of the file: it waits for fetch.failed image=A, which did not happen; "
          + "the run was cut off after \(seconds)000 ms"
      ])
  }
}
