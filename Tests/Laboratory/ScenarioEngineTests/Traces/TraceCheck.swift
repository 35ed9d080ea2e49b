import Foundation
import PlainText
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// A check that reads a trace in Chrome's format and reports its problems.
///
/// The check is stricter than the viewers, which silently skip invalid events.
struct TraceCheck {
  /// One event, with the fields that the check reads.
  struct Event: Decodable {
    struct Arguments: Decodable {
      let value: Int?
      let name: String?
      let closure: Int?
      let cause: Int?
      let post: Int?
      let delivers: Int?
    }

    /// A value that may be an integer.
    struct Number: Decodable {
      let integer: Int?

      init(from decoder: any Decoder) throws { integer = try? decoder.singleValueContainer().decode(Int.self) }
    }

    let ph: String
    let name: String
    let pid: Int
    let tid: Int
    let cat: String?
    let ts: Double?
    let dur: Double?
    let id: Number?
    let bp: String?
    let args: Arguments?

    var thread: Thread { Thread(pid: pid, tid: tid) }
    /// The start in whole nanoseconds, because binary fractions of microseconds are not exact.
    var start: Int { Int(((ts ?? 0) * 1000).rounded()) }
    var end: Int { start + Int(((dur ?? 0) * 1000).rounded()) }
  }

  struct Thread: Hashable {
    let pid: Int
    let tid: Int
  }

  /// The counters that return to zero, because no work is left when a run ends.
  private static let endingAtZero: Set = ["queued", "busy workers"]
  private static let phases: Set = ["M", "X", "b", "e", "s", "f", "C", "i"]

  let events: [Event]
  /// The problems, in alphabetical order.
  private(set) var problems: [String] = []

  /// - Throws: a decoding error if the text is incomplete.
  init(_ text: String) throws {
    struct File: Decodable { let traceEvents: [Event] }
    events = try JSONDecoder().decode(File.self, from: Data(text.utf8)).traceEvents
    checkEvents()
    checkNames()
    checkSlices()
    checkSpans()
    checkFlows()
    checkCounters()
    problems.sort()
  }

  /// The events of a phase.
  subscript(_ phase: String) -> [Event] { events.filter { $0.ph == phase } }

  private mutating func checkEvents() {
    for event in events {
      if !Self.phases.contains(event.ph) { problems.append("\(event.name): unknown phase \(event.ph)") }
      if event.ph != "M", (event.ts ?? -1) < 0 { problems.append("\(event.name): no time") }
    }
  }

  private mutating func checkNames() {
    let metadata = self["M"]
    let processes = Set(metadata.filter { $0.name == "process_name" && $0.args?.name != nil }.map(\.pid))
    let named = Set(metadata.filter { $0.name == "thread_name" && $0.args?.name != nil }.map(\.thread))
    let sorted = Set(metadata.filter { $0.name == "thread_sort_index" }.map(\.thread))
    let threads = Set(events.map(\.thread))
    if Set(threads.map(\.tid)).count < threads.count { problems.append("two threads have one number") }
    for thread in threads {
      if !processes.contains(thread.pid) { problems.append("process \(thread.pid) has no name") }
      if !named.contains(thread) { problems.append("thread \(thread.pid).\(thread.tid) has no name") }
      if !sorted.contains(thread) { problems.append("thread \(thread.pid).\(thread.tid) has no place") }
    }
  }

  /// Checks that each slice begins after the previous one ends, or lies inside it.
  private mutating func checkSlices() {
    for (thread, slices) in Dictionary(grouping: self["X"], by: \.thread) {
      var open: [Event] = []
      for slice in slices.sorted(by: { ($0.start, -$0.end) < ($1.start, -$1.end) }) {
        if (slice.dur ?? -1) < 0 { problems.append("\(slice.name): a slice without a length") }
        while let last = open.last, last.end <= slice.start { open.removeLast() }
        if let last = open.last, last.end < slice.end {
          problems.append("thread \(thread.pid).\(thread.tid): slices overlap at \(slice.start) ns")
        }
        open.append(slice)
      }
    }
  }

  private mutating func checkSpans() {
    struct Key: Hashable {
      let pid: Int
      let cat: String?
      let id: Int?
    }
    let spans = Dictionary(grouping: self["b"] + self["e"]) { Key(pid: $0.pid, cat: $0.cat, id: $0.id?.integer) }
    for (key, ends) in spans {
      let name = "span \(key.id.map(String.init) ?? "without an integer id")"
      let begins = ends.filter { $0.ph == "b" }
      guard key.id != nil, let begin = begins.first, let end = ends.last, ends.count == 2, begins.count == 1 else {
        let (begun, ended) = (begins.count, ends.count - begins.count)
        problems.append("\(name): \(begun.counted("begin event")), \(ended.counted("end event"))")
        continue
      }
      if end.start < begin.start { problems.append("\(name) ends before it begins") }
    }
  }

  private mutating func checkFlows() {
    let slices = slicesOfFlows()
    for (id, ends) in Dictionary(grouping: events.filter { $0.ph == "s" || $0.ph == "f" }, by: \.id?.integer) {
      let name = "flow \(id.map(String.init) ?? "without an integer id")"
      let starts = ends.filter { $0.ph == "s" }
      guard let id, let start = starts.first, let finish = ends.first(where: { $0.ph == "f" }), ends.count == 2 else {
        let (started, ended) = (starts.count, ends.count - starts.count)
        problems.append("\(name): \(started.counted("start event")), \(ended.counted("end event"))")
        continue
      }
      if finish.bp != "e" { problems.append("\(name) does not end in the slice around it") }
      // For events at the same time, the order in the file decides.
      if finish.start < start.start || finish.start == start.start && ends[0].ph == "f" {
        problems.append("\(name) ends before it starts")
      }
      guard let cause = slices["s"]?[id], let effect = slices["f"]?[id] else {
        problems.append("\(name) touches no slice")
        continue
      }
      let isOfClosures = cause.args?.closure != nil && cause.args?.closure == effect.args?.cause
      let isOfPost = cause.args?.post != nil && cause.args?.post == effect.args?.delivers
      if !isOfClosures && !isOfPost { problems.append("\(name) does not lead from a cause to its effect") }
    }
  }

  /// Returns the slice to which a viewer attaches each start and end of a flow: the last one that began on its thread,
  /// if it has not ended.
  private func slicesOfFlows() -> [String: [Int: Event]] {
    var found: [String: [Int: Event]] = [:]
    for events in Dictionary(grouping: events, by: \.thread).values {
      var last: Event?
      let sorted = events.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
      for event in sorted.map(\.element) {
        switch event.ph {
        case "X", "i": last = event
        case "s", "f":
          guard let slice = last, slice.ph == "X", event.start <= slice.end, let id = event.id?.integer else {
            continue
          }
          found[event.ph, default: [:]][id] = slice
        default: break
        }
      }
    }
    return found
  }

  private mutating func checkCounters() {
    struct Key: Hashable {
      let pid: Int
      let name: String
    }
    for (key, samples) in Dictionary(grouping: self["C"], by: { Key(pid: $0.pid, name: $0.name) }) {
      // A sample without a value is as wrong as one below zero.
      let values = samples.map { $0.args?.value ?? -1 }
      if values.contains(where: { $0 < 0 }) { problems.append("\(key.name) falls below zero") }
      if zip(samples, samples.dropFirst()).contains(where: { $0.start >= $1.start }) {
        problems.append("\(key.name) goes back in time")
      }
      if Self.endingAtZero.contains(key.name), values.last != 0 { problems.append("\(key.name) does not end at zero") }
    }
  }
}

/// The trace of a run, written to a file and read again.
struct WrittenTrace {
  let check: TraceCheck

  /// Writes and reads the trace, and checks that nothing is lost.
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
