import Dispatch
import EventBus
import TestMachine
import Testing
import VirtualTime

@Suite("A programming error stops the process with a message that describes it", .childProcesses)
struct PreconditionTests {
  @Test("A mailbox limit below 1 stops the process") func limitBelowOne() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EventBus().subscribe(to: Number.self, on: .main(limit: .dropNewest(0))) { _ in }
    }
    try expect(result, toSay: "found a limit of 0")
  }

  @Test("A stream limit below 1 stops the process") func limitOfStream() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EventBus().events(of: Number.self, limit: .dropOldest(-1))
    }
    try expect(result, toSay: "found a limit of -1")
  }

  @Test("Subscribing on a Dispatch queue stops the process if the bus does not use the Dispatch runtime")
  func queueElsewhere() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EventBus(runtime: ManualRuntime()).subscribe(to: Number.self, on: .queue(.main)) { _ in }
    }
    try expect(result, toSay: ".scheduler(runtime.serial(…))")
  }

  @Test("Waiting for a gate that cannot open stops the process") func closedGate() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ManualRuntime(timeout: .milliseconds(1)).gate().wait()
    }
    try expect(result, toSay: "This gate is closed")
  }

  @Test("Any use of an unused runtime stops the process") func unusedRuntime() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      UnusedRuntime().main.schedule {}
    }
    try expect(result, toSay: "Unexpected use of the runtime: schedule on main")
  }

  /// Checks the message on standard error, which optimized builds print, too.
  private func expect(_ result: ExitTest.Result?, toSay text: String) throws {
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.contains(text))
  }
}
