import PlainText
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// Runs of the shipped program that the judges once misjudged.
@Suite(.computing) struct JudgedRunTests {
  private func run(_ members: String, _ strategy: String = "dataTask") throws -> (ScenarioOutcome, RunRecord) {
    let file = SampleScenario.file(#"{"scenario": 1, "name": "x", \#(members)}"#)
    let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    let record = scenario.runVirtually(strategy)
    return (ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .virtual, record), record)
  }

  @Test("A cached picture counts as a cache hit even if its view appears after the selection")
  func cacheHitOfAppear() throws {
    let (outcome, record) = try run(
      #"""
      "images": [{"id": "A", "path": "/a"}, {"id": "B", "path": "/a"}],
      "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
        {"at": "0ms", "do": "select", "image": "B", "view": "other"}, {"at": "1ms", "do": "wait-idle"},
        {"at": "2ms", "do": "appear", "view": "other"}, {"at": "3ms", "do": "disappear", "view": "other"},
        {"at": "4ms", "do": "appear", "view": "other"}]
      """#)
    #expect(outcome.failures.map(\.message) == [])
    #expect(record.events.filter { $0.kind == .cacheHit }.map { $0[.image] } == ["B"])
  }

  @Test("A scenario with 10,001 notes does not count as a livelock")
  func manyNotes() throws {
    let notes = Array(repeating: #"{"at":"0ms","do":"note","text":""}"#, count: 10_001).joined(separator: ",")
    let (outcome, record) = try run(#""steps": [\#(notes)], "expect": [{"count": {"event": "note", "equals": 10001}}]"#)
    #expect(outcome.failures.map(\.message) == [])
    #expect(record.termination == nil)
  }

  @Test("A subscriber can subscribe and unsubscribe a thousand times under one name")
  func manySubscriptions() throws {
    let step = #"{"at":"0ms","do":"subscribe","subscriber":"s","topic":"t"}"#
    let leave = #"{"at":"0ms","do":"unsubscribe","subscriber":"s"}"#
    let steps = Array(repeating: step, count: 1000) + Array(repeating: leave, count: 1000)
    let (outcome, record) = try run(#""steps": [\#(steps.joined(separator: ","))]"#)
    #expect(outcome.failures.map(\.message) == [])
    #expect(record.events.count == 2000)
  }

  @Test("A run with 500 views and 1,000 drop steps records each dropped image once")
  func manyDrops() throws {
    let count = 500
    let images = (0..<count).map { #"{"id":"\#($0)","path":"/\#($0)"}"# }
    let selects = (0..<count).map { #"{"at":"0ms","do":"select","image":"\#($0)","view":"v\#($0)"}"# }
    let drops = (0..<count).map { #"{"at":"1ms","do":"drop-model","image":"\#($0)"}"# }
    let all = Array(repeating: #"{"at":"2ms","do":"drop-model"}"#, count: count)
    let steps = (selects + drops + all).joined(separator: ",")
    let (outcome, record) = try run(#""images": [\#(images.joined(separator: ","))], "steps": [\#(steps)]"#)
    #expect(outcome.failures.map(\.message) == [])
    #expect(record.events.count { $0.kind == .modelDrop } == count)
  }

  @Test("A published event reaches a subscriber whose topic spells the same accent differently")
  func spellingsOfTopics() throws {
    let (outcome, record) = try run(
      #"""
      "steps": [{"at": "0ms", "do": "subscribe", "subscriber": "s", "topic": "caf\u00e9"},
        {"at": "1ms", "do": "publish", "topic": "cafe\u0301"}, {"at": "2ms", "do": "note", "text": "end"}]
      """#)
    #expect(outcome.failures.map(\.message) == [])
    #expect(record.events.contains { $0.kind == .busDeliver })
  }

  @Test("A run does not generate pictures that no step requests")
  func unusedPictures() throws {
    let images = (0..<20).map { #"{"id": "\#($0)", "path": "/\#($0)", "size": "4096x4096"}"# }.joined(separator: ",")
    // Each of these pictures would take seconds to generate.
    let (outcome, _) = try run(
      #"""
      "images": [\#(images), {"id": "A", "path": "/a"}],
      "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
      "expect": [{"final": {"detail.shown": "A"}}]
      """#)
    #expect(outcome.failures.map(\.message) == [])
  }

  @Test("A trace states how each fetch ended", arguments: [("cancel", "fetch.cancelled"), ("note", "fetch.done")])
  func endsOfFetches(_ step: String, _ end: String) throws {
    let (_, record) = try run(
      #"""
      "images": [{"id": "A", "path": "/a"}], "origin": {"default": {"body": "A", "latency": "10ms"}},
      "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
        {"at": "5ms", "do": "\#(step)", \#(step == "note" ? #""text": """# : #""image": "A""#)}]
      """#)
    var trace = ChromeTrace()
    trace.add("run", record)
    let text = try JSONText.of(trace.json)
    #expect(text.contains(#""end" : "\#(end)""#))
    #expect(text.contains(#""end" : "request.end""#))
  }

  @Test(
    "A blocking read that follows a redirect does not show a wrong picture",
    arguments: ["b.png", "http:b.png", "file:/b.png", "/%2e%2e/b.png", "../b.png", "/x/../b.png"])
  func redirects(_ location: String) throws {
    let (outcome, _) = try run(
      #"""
      "images": [{"id": "A", "path": "/x/a.png"}, {"id": "B", "path": "/b.png"}],
      "origin": {"routes": [{"path": "/x/a.png", "responses": [{"status": 302, "headers": {"Location": "\#(location)"}}]}]},
      "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}]
      """#, "blocking")
    #expect(outcome.failures.map(\.message) == [])
  }

  @Test("A second request after the head of a failed response does not count as a duplicate")
  func verdictBeforeTheEnd() throws {
    let (_, record) = try run(
      #"""
      "images": [{"id": "A", "path": "/a"}],
      "origin": {"default": {"status": 503, "body": {"bytes": 1000}, "bandwidth": 100000, "latency": "1ms"}},
      "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
        {"after": {"event": "fetch.failed"}, "do": "select", "image": "A"}]
      """#)
    let abandoned = try record.requests.map { try #require($0.abandoned) }
    let ends = try record.requests.map { try #require($0.end) }
    #expect(abandoned.count == 2)
    #expect(zip(abandoned, ends).allSatisfy { $0 < $1 })
    #expect(ends[0] > record.requests[1].begin, "the second begins before the first has ended")
  }
}
