import Foundation
import Testing

@Suite struct TraceCheckTests {
  /// A valid trace: a slice inside another, a flow between the two, a span and a counter.
  private static let good: [String: String] = [
    "process": #"{"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "run"}}"#,
    "thread": #"{"ph": "M", "name": "thread_name", "pid": 1, "tid": 0, "args": {"name": "main"}}"#,
    "place": #"{"ph": "M", "name": "thread_sort_index", "pid": 1, "tid": 0, "args": {"sort_index": 0}}"#,
    "slice": #"{"ph": "X", "name": "a", "pid": 1, "tid": 0, "ts": 0, "dur": 10, "args": {"closure": 0}}"#,
    "inner slice":
      #"{"ph": "X", "name": "b", "pid": 1, "tid": 0, "ts": 2, "dur": 8, "args": {"closure": 1, "cause": 0}}"#,
    "later slice": #"{"ph": "X", "name": "c", "pid": 1, "tid": 0, "ts": 10, "dur": 0}"#,
    "start": #"{"ph": "s", "name": "x", "cat": "enqueue", "pid": 1, "tid": 0, "ts": 1, "id": 7}"#,
    "finish": #"{"ph": "f", "name": "x", "cat": "enqueue", "pid": 1, "tid": 0, "ts": 3, "id": 7, "bp": "e"}"#,
    "span begins": #"{"ph": "b", "name": "x", "cat": "image", "pid": 1, "tid": 0, "ts": 1, "id": 7}"#,
    "span ends": #"{"ph": "e", "name": "x", "cat": "image", "pid": 1, "tid": 0, "ts": 30, "id": 7}"#,
    "count 1": #"{"ph": "C", "name": "queued", "pid": 1, "tid": 0, "ts": 1, "args": {"value": 1}}"#,
    "count 2": #"{"ph": "C", "name": "queued", "pid": 1, "tid": 0, "ts": 2, "args": {"value": 0}}"#,
    "instant": #"{"ph": "i", "name": "x", "s": "t", "pid": 1, "tid": 0, "ts": 8}"#,
  ]

  private func text(_ lines: [String: String]) -> String {
    #"{"traceEvents": ["# + lines.sorted { $0.key < $1.key }.map(\.value).joined(separator: ",") + "]}"
  }

  @Test("The check finds no problem in a valid trace")
  func good() throws {
    #expect(try TraceCheck(text(Self.good)).problems == [])
  }

  @Test(
    "The check reports each kind of defect",
    arguments: [
      ("process", "", "process 1 has no name"),
      ("thread", "", "thread 1.0 has no name"),
      ("place", "", "thread 1.0 has no place"),
      ("slice", #""dur": 10→"dur": -1"#, "a: a slice without a length"),
      ("inner slice", #""dur": 8→"dur": 8.001"#, "thread 1.0: slices overlap at 2000 ns"),
      ("slice", #""ph": "X"→"ph": "B""#, "a: unknown phase B"),
      ("instant", #""ts": 8→"at": 8"#, "x: no time"),
      ("start", "", "flow 7: 0 start events, 1 end event"),
      ("finish", "", "flow 7: 1 start event, 0 end events"),
      ("finish", #", "bp": "e"→"#, "flow 7 does not end in the slice around it"),
      ("finish", #""ts": 3→"ts": 10.5"#, "flow 7 touches no slice"),
      ("finish", #""ts": 3→"ts": 0.5"#, "flow 7 ends before it starts"),
      ("instant", #""ts": 8→"ts": 0.5"#, "flow 7 touches no slice"),
      ("start", #""ts": 1→"ts": 3"#, "flow 7 ends before it starts"),
      ("instant", #""pid": 1→"pid": 2"#, "two threads have one number"),
      ("slice", #""closure": 0→"closure": 2"#, "flow 7 does not lead from a cause to its effect"),
      ("finish", #""id": 7→"id": "7""#, "flow without an integer id: 0 start events, 1 end event"),
      ("span begins", "", "span 7: 0 begin events, 1 end event"),
      ("span ends", "", "span 7: 1 begin event, 0 end events"),
      ("span ends", #""ts": 30→"ts": 0"#, "span 7 ends before it begins"),
      ("span ends", #""cat": "image"→"cat": "other""#, "span 7: 0 begin events, 1 end event"),
      ("count 1", #""value": 1→"value": -1"#, "queued falls below zero"),
      ("count 1", #""ts": 1→"ts": 5"#, "queued goes back in time"),
      ("count 2", "", "queued does not end at zero"),
    ])
  func broken(_ line: String, _ change: String, _ problem: String) throws {
    var lines = Self.good
    let parts = change.components(separatedBy: "→")
    lines[line] = parts.count == 2 ? lines[line]?.replacing(parts[0], with: parts[1]) : nil
    #expect(lines[line] != Self.good[line])
    #expect(try TraceCheck(text(lines)).problems.contains(problem))
  }

  @Test("The check rejects a truncated file")
  func cut() {
    let whole = text(Self.good)
    #expect(throws: DecodingError.self) { try TraceCheck(String(whole.dropLast(whole.count / 3))) }
  }
}
