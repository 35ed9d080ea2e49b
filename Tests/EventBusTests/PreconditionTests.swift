import Dispatch
import EventBus
import TestMachine
import Testing
import VirtualTime

@Suite("Mistakes that stop the process", .childProcesses) struct PreconditionTests {
  @Test("A limit below 1") func limitBelowOne() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EventBus().subscribe(to: Number.self, on: .main(limit: .dropNewest(0))) { _ in }
    }
    try expect(result, toSay: "found a limit of 0")
  }

  @Test("A limit below 1 for a stream") func limitOfStream() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EventBus().events(of: Number.self, overflow: .dropOldest(-1))
    }
    try expect(result, toSay: "found a limit of -1")
  }

  @Test("A queue under a runtime that is not Dispatch") func queueElsewhere() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EventBus(runtime: ManualRuntime()).subscribe(to: Number.self, on: .queue(.main)) { _ in }
    }
    try expect(result, toSay: ".scheduler(runtime.serial(…))")
  }

  @Test("A test gate that cannot open stops the process") func closedGate() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ManualRuntime(patience: .milliseconds(1)).gate().wait()
    }
    try expect(result, toSay: "This gate is closed")
  }

  @Test("A runtime that must not be used") func unusedRuntime() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      UnusedRuntime().main.schedule {}
    }
    try expect(result, toSay: "Unexpected use of the runtime: schedule on main")
  }

  /// In optimised builds, too.
  private func expect(_ result: ExitTest.Result?, toSay text: String) throws {
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.contains(text))
  }
}
