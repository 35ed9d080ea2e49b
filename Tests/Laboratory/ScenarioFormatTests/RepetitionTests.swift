import ScenarioSamples
import Testing

@testable import ScenarioFormat

@Suite struct RepetitionTests {
  private func notes(_ steps: String) throws -> [String] {
    let file = SampleScenario.file(#"{"scenario": 1, "name": "x", "steps": [\#(steps)]}"#)
    #expect(file.diagnostics.allSatisfy { $0.code == .unknownIndex })
    return try #require(file.scenario).steps.map { step in
      guard case .at(let time) = step.start, case .note(let text) = step.action else { return "?" }
      return "\(time.spelled) \(text)"
    }
  }

  @Test("Each round repeats the written steps with its own number and start time")
  func rounds() throws {
    let steps = #"""
      {"repeat": 3, "at": "10ms", "every": "5ms", "steps": [
        {"at": "0ms", "do": "note", "text": "{n}"}, {"at": "0.5ms", "do": "note", "text": "{n-1} {n+10} {m} {n*2} {}"}]},
      {"at": "30ms", "do": "note", "text": "{n}"}
      """#
    #expect(
      try notes(steps) == [
        "10ms 1", "10500us 0 11 {m} {n*2} {}", "15ms 2", "15500us 1 12 {m} {n*2} {}", "20ms 3",
        "20500us 2 13 {m} {n*2} {}", "30ms {n}",
      ])
  }

  @Test("A nested repetition counts from the start of its round")
  func nested() throws {
    let steps = #"""
      {"repeat": 2, "index": "page", "from": 5, "by": -5, "every": "100ms", "steps": [
        {"repeat": 2, "at": "10ms", "every": "1ms", "steps": [{"at": "0ms", "do": "note", "text": "{page}.{n}"}]}]}
      """#
    #expect(try notes(steps) == ["10ms 5.1", "11ms 5.2", "110ms 0.1", "111ms 0.2"])
  }

  @Test("Counted images can join other images and use their number as the default id")
  func images() throws {
    let images = { (text: String) in
      SampleScenario.file(#"{"scenario": 1, "name": "x", "images": \#(text), "steps": []}"#).scenario?.images
        .map { "\($0.id) \($0.path.text) \($0.size.width)" }
    }
    #expect(images(#"{"count": 2, "path": "/p{n}.png"}"#) == ["1 /p1.png 64", "2 /p2.png 64"])
    #expect(
      images(#"[{"id": "A", "path": "/a"}, {"count": 2, "from": 0, "id": "p{n}", "path": "/{n+1}", "size": "8x8"}]"#)
        == ["A /a 64", "p0 /1 8", "p1 /2 8"])
  }

  @Test("Every copy of a step has the source range of the written step")
  func places() throws {
    let text = #"{"scenario": 1, "name": "x", "steps": [{"repeat": 2, "steps": [{"at": "0ms", "do": "wait-idle"}]}]}"#
    let steps = try #require(SampleScenario.file(text).scenario).steps
    let written = #"{"at": "0ms", "do": "wait-idle"}"#
    #expect(steps.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) } == [written, written])
  }
}
