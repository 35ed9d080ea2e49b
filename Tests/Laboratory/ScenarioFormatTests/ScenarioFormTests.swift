import Foundation
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioFormat

@Suite(.computing) struct ScenarioFormTests {
  @Test("The decoder reads every element of the format")
  func everything() throws {
    let file = SampleScenario.file(SampleScenario.everything)
    #expect(DiagnosticReport(source: file.source, diagnostics: file.diagnostics).lines() == [])
    let scenario = try #require(file.scenario)
    #expect(scenario.lesson == "X2")
    #expect(scenario.seed == 7)
    #expect(scenario.timing == .slack(.milliseconds(15)))
    #expect(scenario.pool == .linux(cores: 2))
    #expect(scenario.strategies == ["blocking", "async"])
    #expect(scenario.clocks == [.virtual])
    #expect(scenario.images[0].size == .init(width: 64, height: 48))
    #expect(Set(scenario.origin.routes[0].responses.compactMap(\.fault)) == Set(Scenario.Response.Fault.allCases))
    #expect(scenario.origin.routes[0].responses[1].latency == .uniform(.microseconds(250), .milliseconds(30)))
    #expect(scenario.origin.routes.map(\.then) == [.cycle, .error])
    #expect(scenario.images.map(\.id) == ["A", "B", "p5", "p6", "p7"])
    #expect(scenario.exploration?.find == [.staleImage])
    #expect(scenario.steps.count == 26)
    #expect(scenario.steps[3].start == .after(step: "start", plus: .milliseconds(2)))
    #expect(
      scenario.steps[10].start
        == .afterEvent(EventPattern(kind: .fetchDone, values: [.image: "B"]), plus: .milliseconds(1)))
    #expect(scenario.steps[14].action == .dropModel(image: nil))
    #expect(
      scenario.expectations[1].kind == .never(.init(kind: .fetchFailed, values: [.image: "B", .error: "truncated"])))
    #expect(scenario.expectations[4].kind == .count(.init(kind: .requestEnd, values: [.status: "200"]), in: 1...3))
    #expect(scenario.expectations[11].kind == .outcome(image: "B", is: .error(.badStatus)))
  }

  @Test("The documented example is valid once its variant is known")
  func example() throws {
    let bytes = Array(SampleScenario.example.utf8)
    let source = SourceText(path: "late-response.json", bytes: bytes)
    #expect(ScenarioFile(source, name: "late-response", vocabulary: .sample).diagnostics.map(\.code) == [.wrongValue])
    let program = Vocabulary.Program(name: Scenario.standardProgram, variants: ["fixed", "last-answer-wins"])
    let vocabulary = Vocabulary(
      strategies: Vocabulary.sample.strategies, programs: [program], lessons: ["L03"])
    let file = ScenarioFile(source, name: "late-response", vocabulary: vocabulary)
    #expect(file.diagnostics == [])
    #expect(file.scenario?.variants == ["last-answer-wins", "fixed"])
  }

  @Test("An unused route causes a warning that suggests a path")
  func unusedRoutes() {
    let diagnostics = { (routes: String) in
      SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}], "origin": {"routes": [\#(routes)]},
         "steps": [{"at": "0ms", "do": "select", "image": "A"}]}
        """#
      ).diagnostics
    }
    let slip = diagnostics(#"{"path": "/A.png", "responses": [{}]}"#)
    #expect(slip.map(\.code) == [.unusedRoute])
    #expect(slip.first?.advice == "did you mean \"/a.png\"?")
    #expect(diagnostics(#"{"path": "/a.png", "responses": [{}]}"#) == [])
    let target = #"{"path": "/to/b.png", "responses": [{}]}"#
    let redirect = #"{"path": "/a.png", "responses": [{"status": 302, "headers": {"Location": "/to/b%2Epng?c"}}]}"#
    #expect(diagnostics("\(redirect), \(target)") == [])
  }

  @Test("An unknown lesson is rejected only if the lessons are known")
  func lessons() {
    let messages = { (members: String, vocabulary: Vocabulary) in
      SampleScenario.file(
        #"{"scenario": 1, "name": "x", \#(members), "steps": [{"at": "0ms", "do": "appear"}]}"#,
        vocabulary: vocabulary
      ).diagnostics.map(\.message)
    }
    #expect(messages(#""lesson": "L99""#, Vocabulary(strategies: [])) == [])
    #expect(messages(#""lesson": "L04""#, .sample) == ["unknown lesson \"L04\"; choose from L03, X2"])
    #expect(messages(#""lesson": "L03""#, .sample) == [])
  }

  @Test("The advice on a wrong outcome suggests the valid word")
  func outcomes() {
    let advice = { (word: String) in
      SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}],
         "steps": [{"at": "0ms", "do": "select", "image": "A"}],
         "expect": [{"outcome": {"image": "A", "is": "\#(word)"}}]}
        """#
      ).diagnostics.first?.advice
    }
    #expect(advice("done") == "did you mean \"loaded\"?")
    #expect(advice("timeout") == "did you mean \"error:timedOut\"?")
    #expect(advice("laoded") == "did you mean \"loaded\"?")
  }

  @Test("Programs and variants match by name, and a typo gets advice")
  func programs() {
    let file = { (members: String) in
      SampleScenario.file(
        #"{"scenario": 1, "name": "x", \#(members), "steps": [{"at": "0ms", "do": "appear"}]}"#,
        vocabulary: Vocabulary(
          strategies: [],
          programs: [
            .init(name: "one", variants: ["fixed"]), .init(name: "two", variants: ["careless", "fixed"]),
          ]))
    }
    #expect(file(#""program": "two", "variants": ["fixed", "careless"]"#).diagnostics == [])
    let slip = file(#""program": "tow""#).diagnostics
    #expect(slip.first?.message == "unknown program \"tow\"; choose from one, two")
    #expect(slip.first?.advice == "did you mean \"two\"?")
    let variant = file(#""program": "one", "variant": "careless""#).diagnostics
    #expect(variant.map(\.message) == ["unknown variant \"careless\"; the only variant is \"fixed\""])
  }

  @Test(
    "A duration has a unit and keeps its exact value",
    arguments: [
      ("0ms", Duration.zero), ("250us", .microseconds(250)), ("30ms", .milliseconds(30)), ("1.5s", .milliseconds(1500)),
      ("0.0005ms", .nanoseconds(500)), ("3600s", .seconds(3600)), ("007ms", .milliseconds(7)),
    ])
  func durations(_ text: String, _ expected: Duration) {
    let file = SampleScenario.file(
      #"{"scenario": 1, "name": "x", "clocks": ["virtual"], "steps": [{"at": "\#(text)", "do": "wait-idle"}]}"#)
    #expect(file.scenario?.steps.first?.start == .at(expected))
  }

  @Test(
    "Text that is not a duration is rejected",
    arguments: [
      "30", "30 ms", "-1ms", "1e3ms", "ms", "0x1ms", "inf s", "3601s", "1.ms", ".5ms", "1h", "1234567890ms", "١ms",
    ])
  func wrongDurations(_ text: String) {
    let file = SampleScenario.file(
      #"{"scenario": 1, "name": "x", "clocks": ["virtual"], "steps": [{"at": "\#(text)", "do": "wait-idle"}]}"#)
    #expect(file.diagnostics.map(\.code) == [text == "30" ? .durationWithoutUnit : .wrongValue])
  }

  @Test(
    "An invalid field or combination of fields is rejected",
    arguments: [
      (#""strategy": "async", "strategies": ["async"]"#, Diagnostic.Code.duplicate),
      (#""images": [{"id": "A", "path": "/a"}, {"id": "A", "path": "/b"}]"#, .duplicate),
      (#""images": [{"id": "placeholder", "path": "/a"}]"#, .duplicate),
      (#""strategies": ["async", "async"]"#, .duplicate),
      (#""clocks": ["virtual", "virtual"]"#, .duplicate),
      (#""variants": ["fixed", "fixed"]"#, .duplicate),
      (#""timing": "any", "explore": {"find": ["deadlock", "livelock", "deadlock"]}"#, .duplicate),
      (#""images": [{"id": "", "path": "/a"}]"#, .wrongValue),
      (#""steps": [{"at": "1ms", "do": "appear", "view": ""}]"#, .wrongValue),
      (#""steps": [{"at": "1ms", "do": "appear", "id": ""}]"#, .wrongValue),
      (#""steps": [{"at": "1ms", "do": "publish", "topic": ""}]"#, .wrongValue),
      (#""steps": [{"at": "1ms", "do": "unsubscribe", "subscriber": ""}]"#, .wrongValue),
      (#""images": [{"id": "A", "path": "/a", "size": "4097x1"}]"#, .wrongValue),
      (#""origin": {"routes": [{"path": "/a", "responses": [{}]}, {"path": "/a", "responses": [{}]}]}"#, .duplicate),
      (#""origin": {"default": {"after": 5}}"#, .unknownKey),
      (#""origin": {"default": {"fault": "garbage", "after": 5}}"#, .unknownKey),
      (#""origin": {"default": {"probability": 0.5}}"#, .missing),
      (#""origin": {"default": {"body": {"bytes": 1, "file": "a"}}}"#, .duplicate),
      (#""origin": {"default": {"body": {"file": "../secret"}}}"#, .wrongValue),
      (#""origin": {"default": {"body": {"file": "/etc/passwd"}}}"#, .wrongValue),
      (#""origin": {"default": {"latency": {"uniform": ["3ms", "1ms"]}}}"#, .wrongValue),
      (#""origin": {"routes": [{"path": "/a", "responses": []}]}"#, .wrongValue),
      (#""origin": {"routes": [{"path": "/a", "responses": [{"fault": "refuse"}, {}]}]}"#, .wrongValue),
      (#""origin": {"default": {"fault": "refuse", "probability": 0.5}}"#, .wrongValue),
      (#""origin": {"default": {"headers": {"Transfer-Encoding": "chunked"}}}"#, .wrongValue),
      (#""origin": {"default": {"headers": {"Content-Encoding": "gzip"}}}"#, .wrongValue),
      (#""origin": {"default": {"headers": {"Connection": "close"}}}"#, .wrongValue),
      (#""origin": {"default": {"headers": {"": "x"}}}"#, .wrongValue),
      (#""origin": {"default": {"headers": {"X-Ü": "x"}}}"#, .wrongValue),
      (#""origin": {"default": {"headers": {"X": "a\u0000"}}}"#, .wrongValue),
      (#""origin": {"default": {"headers": {"X": " a"}}}"#, .wrongValue),
      (#""origin": {"default": {"headers": {"X": "\#(String(repeating: "a", count: 65_536))"}}}"#, .wrongValue),
      (#""steps": [{"do": "appear"}]"#, .missing),
      (#""steps": [{"at": "1ms", "after": "a", "do": "appear"}]"#, .duplicate),
      (#""steps": [{"at": "1ms", "plus": "1ms", "do": "appear"}]"#, .unknownKey),
      (#""steps": [{"at": "1ms", "do": "appear", "image": "A"}]"#, .unknownKey),
      (#""steps": [{"at": "1ms", "do": "appear", "id": "a"}, {"at": "1ms", "do": "appear", "id": "a"}]"#, .duplicate),
      (#""steps": [{"after": "b", "do": "appear"}, {"at": "1ms", "do": "appear", "id": "b"}]"#, .unknownStep),
      (#""steps": [{"at": "90s", "do": "appear"}]"#, .wrongValue),
      (#""expect": [{}]"#, .missing),
      (#""expect": [{"leaks": {}, "stall": {"atMost": "1ms"}}]"#, .duplicate),
      (#""expect": [{"final": {}}]"#, .pointlessExpectation),
      (#""expect": [{"final": {"detail.shwn": "A"}}]"#, .unknownKey),
      (#""name": "y""#, .wrongValue),
    ])
  func combinations(_ members: String, _ code: Diagnostic.Code) {
    var fields = [(#""scenario""#, "1"), (#""name""#, #""x""#), (#""steps""#, #"[{"at": "0ms", "do": "appear"}]"#)]
    fields.removeAll { members.hasPrefix($0.0) }
    let text = "{" + (fields.map { "\($0.0): \($0.1)" } + [members]).joined(separator: ", ") + "}"
    let file = SampleScenario.file(text)
    #expect(file.diagnostics.map(\.code) == [code], "\(file.diagnostics.map(\.message))")
  }

  @Test(
    "A path may contain any characters that a client sends unchanged",
    arguments: [
      ("/", true), ("/a b.png", true), ("/grüße/👩‍👩‍👧.png", true), ("/a?b=c", true), ("/a//b", true), ("/..a/b..", true),
      ("/.hidden", true), ("/...", true), ("/a\\b", true), ("a.png", false), ("", false), ("/a%20b", false),
      ("/100%", false), ("/a#b", false), ("/./a", false), ("/a/..", false), ("/a/../b", false), ("/a\u{0}", false),
      ("/a\tb", false), ("/a\r\nb", false), ("/a\u{7F}", false), ("/a\u{85}", false), ("/a\u{2028}", false),
    ])
  func paths(_ path: String, _ isValid: Bool) throws {
    let node = JSONNode(content: .string(path), range: 0..<1)
    var reading = Reading(
      SourceText(path: "x", bytes: []), Diagnostics(), .sample, name: nil, validateFile: { _ in nil })
    #expect((ValueKind.path.read(node, &reading) != nil) == isValid)
    #expect(reading.diagnostics.all.map(\.code) == (isValid ? [] : [.wrongValue]))
    guard case .string(let pattern)? = ValueKind.path.schema.keywords["pattern"] else {
      Issue.record("the schema has no pattern for paths")
      return
    }
    let regex = try Regex(pattern).matchingSemantics(.unicodeScalar)
    #expect(path.contains(regex) == isValid, "the schema must agree with the decoder")
  }

  @Test(
    "The error for an escape in a path suggests the character itself",
    arguments: [
      ("/a%20b", #"write the character itself, as in "/a b""#), ("/%C3%BC", #"write the character itself, as in "/ü""#),
      ("/100%", "write the character itself"), ("/a%2525", "write the character itself"),
      ("/a%23", "write the character itself"),
    ])
  func escapes(_ path: String, _ advice: String) {
    let file = SampleScenario.file(
      #"{"scenario": 1, "name": "x", "steps": [], "images": [{"id": "A", "path": "\#(path)"}]}"#)
    #expect(file.diagnostics.map(\.advice) == [advice])
  }

  @Test("Reading thousands of routes takes little time", .timeLimit(.minutes(10)))
  func manyRoutes() {
    let routes =
      (0..<15_000).map { #"{"path": "/\#($0)", "responses": [{}]}"# } + [#"{"path": "/7", "responses": [{}]}"#]
    let begin = processorTime()
    let file = SampleScenario.file(
      #"{"scenario": 1, "name": "x", "steps": [], "origin": {"routes": [\#(routes.joined(separator: ","))]}}"#)
    #expect(file.diagnostics.map(\.message) == [#"the path "/7" has two routes"#])
    // Comparing every pair of routes would take minutes.
    #expect(processorTime() - begin < .seconds(30))
  }

  @Test("A header field may be empty or contain any letters and tabs")
  func headers() throws {
    let file = SampleScenario.file(
      #"{"scenario": 1, "name": "x", "steps": [], "origin": {"default": {"headers": {"X": "", "Y": "ü\té"}}}}"#)
    #expect(file.scenario?.origin.fallback?.headers.map(\.value) == ["", "ü\té"])
  }

  @Test(
    "No time limit is called pointless if the duration of a fetch is unknown",
    arguments: [
      #"{"status": 302, "headers": {"Location": "/b"}, "latency": "10s"}"#, #"{"fault": "stall"}"#,
      #"{"status": 401, "headers": {"WWW-Authenticate": "Basic realm=\"x\""}}"#,
    ])
  func unknownLength(_ response: String) {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "clocks": ["virtual"], "images": [{"id": "A", "path": "/a"}],
       "origin": {"default": \#(response)},
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
       "expect": [{"within": {"event": "fetch.failed", "limit": "30s"}}]}
      """#)
    #expect(file.diagnostics == [])
  }

  @Test(
    "A pattern with an attribute that its event does not have is rejected",
    arguments: [
      #"{"never": {"event": "note", "image": "A"}}"#, #"{"never": {"event": "ui.update", "status": 200}}"#,
      #"{"always": {"event": "ui.update", "is": {"topic": "t"}}}"#,
    ])
  func foreignAttributes(_ expectation: String) {
    let file = SampleScenario.file(
      """
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}],
       "steps": [{"at": "0ms", "do": "select", "image": "A"}, {"at": "0ms", "do": "note", "text": "t"}],
       "expect": [\(expectation)]}
      """)
    #expect(file.diagnostics.map(\.code) == [.unknownKey])
  }
}

/// Returns the processor time of this thread so far.
private func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
