import Dispatch
import EventBus
import EventBusTesting
import Testing

@Suite("Mistakes that stop the process") struct PreconditionTests {
  @Test("A limit for .posting, which has no mailbox") func limitForPosting() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EventBus().subscribe(to: Number.self, overflow: .dropOldest(1)) { _ in }
    }
    try expect(result, toSay: ".posting has no mailbox")
  }

  @Test("A limit below 1") func limitBelowOne() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EventBus().subscribe(to: Number.self, on: .main, overflow: .dropNewest(0)) { _ in }
    }
    try expect(result, toSay: "found a limit of 0")
  }

  @Test("A limit below 1 for a stream") func limitOfStream() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EventBus().events(Number.self, overflow: .dropOldest(-1))
    }
    try expect(result, toSay: "found a limit of -1")
  }

  @Test("A second iterator of a stream") func secondIterator() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stream = EventBus().events(Number.self)
      _ = stream.makeAsyncIterator()
      _ = stream.makeAsyncIterator()
    }
    try expect(result, toSay: "one consumer")
  }

  @Test("A queue under a runtime that is not Dispatch") func queueElsewhere() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EventBus(runtime: ManualRuntime()).subscribe(to: Number.self, on: .queue(.main)) { _ in }
    }
    try expect(result, toSay: ".scheduler(runtime.serial(…))")
  }

  /// Optimised builds stop without a word.
  private func expect(_ result: ExitTest.Result?, toSay text: String) throws {
    #if DEBUG
      let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(output.contains(text))
    #endif
  }
}
