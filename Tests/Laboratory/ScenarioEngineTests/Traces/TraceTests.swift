import Foundation
import PlainText
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

@Suite struct TraceTests {
  private func record(_ strategy: String = "dataTask") throws -> RunRecord {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
       "origin": {"default": {"latency": "30ms"}},
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"},
                 {"at": "20ms", "do": "note", "text": "half; of #it"}]}
      """#)
    let scenario = try #require(file.scenario)
    return VirtualScenarioRunner(scenario: scenario, folder: packageRoot, tracesClosures: true).run(strategy)
  }

  @Test("The timeline has a column for each lane, a row for each event and a mark for each failure")
  func timeline() throws {
    let events = try record().events
    let lines = Timeline(events: events, failures: [3: ["it should not"]]).lines()
    #expect(lines[0].split(separator: " ") == ["event", "ms", "user", "main", "workers", "origin"])
    #expect(lines[1].hasPrefix("    1   0.0  view.appear detail"))
    #expect(lines[4] == "  ^ it should not")
    #expect(lines.count == events.count + 2)
    let request = try #require(lines.first { $0.contains("request.begin A") })
    #expect(request.hasSuffix("request.begin A"), "the origin's column is the last one")
  }

  @Test("The Mermaid diagram has one line for each event, without characters that break its syntax")
  func mermaid() throws {
    let events = try record().events
    let lines = MermaidDiagram(events: events).lines
    #expect(lines.count == 5 + events.count)
    #expect(lines.contains("  Note over user: 20.0 ms note half  of  it"))
    #expect(lines.contains("  main->>workers: 10.0 ms fetch.start A dataTask"))
    #expect(!lines.contains { $0.contains(";") || $0.contains("#") })
  }

  @Test("Text from a scenario cannot break a row or send a command to the terminal")
  func unrulyText() {
    let event = RunEvent(kind: .note, time: .zero, values: [.text: "one\u{1B}[2Jtwo\nthree\u{202E}"])
    let plain = "one\u{FFFD}[2Jtwo\u{FFFD}three\u{FFFD}"
    #expect(event.caption == "note \(plain)")
    #expect(EventPattern(kind: .note, values: event.values).summary == "note text=\(plain)")
    #expect(Timeline(events: [event], failures: [1: ["four\nfive"]]).lines().last == "  ^ four\u{FFFD}five")
    #expect(MermaidDiagram(events: [event]).lines.last == "  Note over user: 0.0 ms note \(plain)")
  }

  @Test(
    "A run does not print the credentials in a redirect, a header field or a note",
    arguments: Vocabulary.shipped.strategies)
  func credentials(_ strategy: String) throws {
    for location in ["http:/user:S3C RET@host/", "///user:S3CRET@host/", "http://user:S3CRET@host/"] {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "origin": {"routes": [
           {"path": "/a.png", "responses": [{"status": 302, "headers": {"Location": "\#(location)"}}]}]},
         "steps": [{"at": "0ms", "do": "send", "headers": {"Referer": "http://user:S3C/RET@host/"}},
                   {"at": "0ms", "do": "note", "text": "see http://user:S3C RET@host/"},
                   {"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"}],
         "expect": [{"count": {"event": "request.end", "header": "location: \#(location)", "equals": 9}}]}
        """#)
      let scenario = try #require(file.scenario, "\(file.diagnostics)")
      let record = VirtualScenarioRunner(scenario: scenario, folder: packageRoot, tracesClosures: true).run(strategy)
      #expect(record.events.contains { $0[.text]?.contains("RET") == true })
      var trace = ChromeTrace()
      trace.add("one", record)
      let outcome = ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .virtual, record)
      let texts =
        Timeline(record, outcome).lines() + MermaidDiagram(events: record.events).lines
        + [try JSONText.of(trace.json)] + outcome.failures.flatMap { [$0.message, $0.why ?? ""] }
      #expect(!texts.contains { $0.contains("S3C") || $0.contains("RET") })
    }
  }

  @Test(
    "Two runs in one trace are two processes, each with its own requests",
    arguments: Vocabulary.shipped.strategies)
  func chrome(_ strategy: String) throws {
    let record = try record(strategy)
    var trace = ChromeTrace()
    trace.add("one", record)
    trace.add("two", record)
    let check = try TraceCheck(JSONText.of(trace.json))
    #expect(check.problems == [])
    for process in [1000, 2000] {
      let spans = check["b"].filter { $0.pid == process }
      #expect(spans.map(\.name) == ["fetch A", "GET /a.png"])
      #expect(check["X"].count { $0.pid == process } == record.activity.closures.count { $0.time != nil })
    }
    #expect(!check["s"].isEmpty)
  }

  @Test("An unfinished closure has no slice and no arrows in a trace")
  func unfinished() throws {
    var record = RunRecord()
    let milliseconds = { (count: Int) in Duration.milliseconds(count) }
    record.activity.closures = [
      ClosureSpan(
        scheduler: "main", enqueued: .zero, due: .zero, cause: nil, begin: milliseconds(0), end: milliseconds(4)),
      ClosureSpan(
        scheduler: "workers", enqueued: milliseconds(1), due: milliseconds(1), cause: 0, begin: milliseconds(2)),
      ClosureSpan(
        scheduler: "main", enqueued: milliseconds(3), due: milliseconds(3), cause: 1, begin: milliseconds(5),
        end: milliseconds(6)),
      ClosureSpan(scheduler: "main", enqueued: milliseconds(5), due: milliseconds(9), cause: 2),
    ]
    let check = try WrittenTrace(record).check
    #expect(check.problems == [])
    #expect(check["X"].map(\.start) == [0, 5_000_000])
    #expect(check["s"].isEmpty)
  }
}
