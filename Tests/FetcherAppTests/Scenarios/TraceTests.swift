import Foundation
import Testing

@testable import FetcherApp

@Suite struct TraceTests {
  private func record(_ strategy: String = "dataTask", tracesClosures: Bool = true) throws -> RunRecord {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
       "origin": {"default": {"latency": "30ms"}},
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"},
                 {"at": "20ms", "do": "note", "text": "half; of #it"}]}
      """#)
    let scenario = try #require(file.scenario)
    return VirtualScenarioRunner(scenario: scenario, folder: packageRoot, tracesClosures: tracesClosures).run(strategy)
  }

  @Test("The timeline has a column for each lane, a row for each event, and marks what is wrong")
  func timeline() throws {
    let events = try record().events
    let lines = Timeline(events: events, failures: [3: ["it should not"]]).lines()
    #expect(lines[0].split(separator: " ") == ["step", "ms", "user", "main", "workers", "origin"])
    #expect(lines[1].hasPrefix("   1   0.0  view.appear detail"))
    #expect(lines[4] == "  ^ it should not")
    #expect(lines.count == events.count + 2)
    let request = try #require(lines.first { $0.contains("request.begin A") })
    #expect(request.hasSuffix("request.begin A"), "the last column is the origin's")
  }

  @Test("The Mermaid diagram has a line for each event, and none that Mermaid would misread")
  func mermaid() throws {
    let events = try record().events
    let lines = MermaidDiagram(events: events).lines
    #expect(lines.count == 5 + events.count)
    #expect(lines.contains("  Note over user: note half  of  it"))
    #expect(lines.contains("  main->>workers: fetch.start A dataTask"))
    #expect(!lines.contains { $0.contains(";") || $0.contains("#") })
  }

  @Test(
    "In the trace every begin has its end, slices nest, and flows lead from slice to slice",
    arguments: Fixture.strategies)
  func chrome(_ strategy: String) throws {
    let record = try record(strategy)
    var trace = ChromeTrace()
    trace.add("one", record)
    trace.add("two", record)
    let events = try decode(trace)
    let slices = events.filter { $0.ph == "X" }
    #expect(slices.count == 2 * record.closures.count { $0.end != nil })
    #expect(slices.allSatisfy { ($0.dur ?? -1) >= 0 })
    for lane in Dictionary(grouping: slices, by: { [$0.pid, $0.tid] }).values {
      let sorted = lane.sorted { $0.start < $1.start }
      for (one, next) in zip(sorted, sorted.dropFirst()) {
        #expect(one.end <= next.start, "slices of one lane follow each other")
      }
    }
    let begins = events.filter { $0.ph == "b" }
    let ends = events.filter { $0.ph == "e" }
    #expect(begins.count == 4, "a fetch and a request in each run")
    #expect(Set(begins.map(\.id)) == Set(ends.map(\.id)))
    #expect(Set(begins.map(\.id)).count == begins.count)
    #expect(ends.count == begins.count)
    let starts = events.filter { $0.ph == "s" }
    let finishes = events.filter { $0.ph == "f" }
    #expect(!starts.isEmpty)
    #expect(starts.map(\.id) == finishes.map(\.id))
    #expect(finishes.allSatisfy { $0.bp == "e" })
    for flow in starts + finishes {
      let lane = slices.filter { $0.pid == flow.pid && $0.tid == flow.tid }
      #expect(lane.contains { $0.start <= flow.start && flow.start <= $0.end })
    }
  }

  @Test("Counters end at zero")
  func counters() throws {
    var trace = ChromeTrace()
    trace.add("run", try record("blocking"))
    let counters = try decode(trace).filter { $0.ph == "C" }
    #expect(Set(counters.map(\.name)) == ["queued", "busy workers"])
    for name in ["queued", "busy workers"] { #expect(counters.last { $0.name == name }?.args?.value == 0) }
  }

  @Test("Writing closures down does not change what happens", arguments: Fixture.strategies)
  func tracingIsInvisible(_ strategy: String) throws {
    #expect(try record(strategy).events == (try record(strategy, tracesClosures: false).events))
    #expect(try record(strategy, tracesClosures: false).closures == [])
  }

  private struct Event: Decodable {
    struct Arguments: Decodable { let value: Int? }
    let ph: String
    let name: String
    let pid: Int
    let tid: Int
    let ts: Double?
    let dur: Double?
    let id: Int?
    let bp: String?
    let args: Arguments?

    var start: Double { ts ?? 0 }
    var end: Double { start + (dur ?? 0) }
  }

  private func decode(_ trace: ChromeTrace) throws -> [Event] {
    struct File: Decodable { let traceEvents: [Event] }
    return try JSONDecoder().decode(File.self, from: Data(try JSONText.of(trace.json).utf8)).traceEvents
  }
}
