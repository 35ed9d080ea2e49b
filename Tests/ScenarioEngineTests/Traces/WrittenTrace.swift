import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// The trace of a run as it is written to a file, and read again.
struct WrittenTrace {
  let check: TraceCheck

  /// Writes and reads, and sees that nothing was lost on the way.
  init(_ record: RunRecord) throws {
    var trace = ChromeTrace()
    trace.add("run", record)
    check = try TraceCheck(JSONText.of(trace.json))
    let closures = record.activity.closures
    let ended = closures.filter { $0.time != nil }
    let caused = ended.count { span in span.cause.map { closures[$0].time != nil } ?? false }
    let begun = record.events.count { $0.kind == .fetchStart || $0.kind == .requestBegin }
    let steps = record.shown.map(\.event).filter(\.kind.isOfBus)
    #expect(check["X"].count == ended.count + steps.count)
    #expect(check["s"].count == caused + BusCauses.posts(of: steps).count)
    #expect(check["b"].count == begun)
    #expect(Set(check["C"].map(\.name)) == ["queued", "busy workers", "live subscriptions"])
  }
}
