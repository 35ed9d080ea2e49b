import Foundation
import PlainText
import ScenarioSamples
import Testing

@testable import ScenarioFormat

@Suite struct DiagnosticTests {
  @Test(
    "A diagnostic has a code, a place, its line, marks, and advice",
    arguments: GoldenDiagnostics.all + GoldenDiagnostics.origin + GoldenDiagnostics.reach + GoldenDiagnostics.language
      + GoldenDiagnostics.firstTries)
  func golden(_ golden: GoldenDiagnostics.Golden) {
    let file = SampleScenario.file(golden.text)
    let report = DiagnosticReport(source: file.source, diagnostics: file.diagnostics)
    #expect(report.lines().joined(separator: "\n") == golden.report)
    #expect(file.diagnostics.map(\.code).contains(golden.code))
    #expect((file.scenario == nil) == !golden.code.isWarning)
  }

  @Test("Every diagnostic code has a golden report")
  func everyCodeIsCovered() {
    #expect(Set(GoldenDiagnostics.all.map(\.code)) == Set(Diagnostic.Code.allCases))
  }

  @Test("One pass reports all problems in file order")
  func allInOnePass() {
    let text = """
      {"scenario": 1, "nmae": "x", "images": [{"id": "A", "path": "/a.png",}],
       "origin": {"routes": [{"path": "/a.png", "responses": [{"latncy": "1ms"}]}]},
       "steps": [{"at": 5, "do": "apear"}, {"at": "1ms", "do": "select", "image": "Z"}]}
      """
    let codes = SampleScenario.file(text).diagnostics.map(\.code)
    #expect(
      codes == [
        .unknownKey, .trailingComma, .unknownKey, .durationWithoutUnit, .wrongValue, .undeclaredImage,
      ])
  }

  @Test("An unknown key does not hide unrelated problems")
  func unknownKeysHideNothing() {
    let text = """
      {"scenario": 1, "name": "y", "titel": "", "clock": "real", "clocks": ["virtual"], "timing": "exact",
       "origin": {"defualt": {}, "routes": [
        {"path": "/a", "responses": [{"after": 5, "latncy": "1ms"}]},
        {"path": "/a", "responses": [{"probability": 0.5, "latncy": "1ms"}]}]},
       "images": [{"id": "A", "path": "/a", "pth": ""}, {"id": "A", "path": "/b"}],
       "steps": [{"at": "5ms", "do": "apear", "id": "a"}, {"at": "1ms", "do": "select", "image": "B", "id": "a"},
        {"after": "b"}],
       "explore": {"rnus": 1}}
      """
    let codes = SampleScenario.file(text).diagnostics.map(\.code)
    #expect(
      codes == [
        .wrongValue, .unknownKey, .wrongValue, .exactExploration, .unknownKey, .unknownKey, .unknownKey, .duplicate,
        .missing, .unknownKey, .unknownKey, .duplicate, .wrongValue, .timeGoesBackwards, .undeclaredImage, .duplicate,
        .missing, .unknownStep, .unknownKey,
      ])
  }

  @Test("A misspelled list of images is reported once, without its images")
  func misspelledImages() {
    let text = #"""
      {"scenario": 1, "name": "x", "clocks": ["virtual"], "image": [{"id": "A", "path": "/a"}],
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
       "expect": [{"final": {"detail.shown": "A"}}]}
      """#
    #expect(SampleScenario.file(text).diagnostics.map(\.code) == [.unknownKey])
  }

  @Test(
    "A wrong step causes no errors in the steps that refer to it",
    arguments: [
      #"{"at": "0ms", "do": "apear", "id": "first"}"#, #"{"at": "0", "do": "appear", "id": "first"}"#,
      #"{"at": "0ms", "id": "first"}"#, #"{"at": "0ms", "do": "appear", "view": 7, "id": "first"}"#,
      #"{"do": "appear", "id": "first"}"#, #"{"after": "zero", "do": "appear", "id": "first"}"#,
    ])
  func wrongStepsHaveIDs(_ step: String) {
    let text = #"""
      {"scenario": 1, "name": "x",
       "steps": [{"at": "1ms", "do": "note", "text": ""}, \#(step), {"after": "first", "plus": "0ms", "do": "disappear"}]}
      """#
    #expect(SampleScenario.file(text).diagnostics.count { $0.code == .unknownStep } == (step.contains("zero") ? 1 : 0))
  }

  @Test(
    "The advice on a number without a unit is a valid duration",
    arguments: [
      ("300", "300ms"), ("1e3", "1000ms"), ("-5", nil), ("3600001", nil), ("99999999999", nil),
      ("1e-3", nil), (#""3600001""#, nil), (#""30""#, "30ms"),
    ])
  func adviceForNumbers(_ number: String, _ advised: String?) throws {
    let file = SampleScenario.file(
      #"{"scenario": 1, "name": "x", "clocks": ["virtual"], "steps": [{"at": \#(number), "do": "wait-idle"}]}"#)
    #expect(file.diagnostics.map(\.code) == [.durationWithoutUnit])
    let advice = try #require(file.diagnostics.first?.advice)
    let example = advised.map { #"write "\#($0)"; the units are us, ms and s"# }
    #expect(advice == example ?? #"write it as "250us", "30ms" or "1.5s""#)
  }

  @Test("The report shows at most 20 problems and mentions that it omits others")
  func atMostTwenty() {
    let steps = Array(repeating: #"{"at": "0ms", "do": "jump"}"#, count: 50).joined(separator: ",\n")
    let file = SampleScenario.file(#"{"scenario": 1, "name": "x", "steps": ["# + "\n\(steps)\n]}")
    let lines = DiagnosticReport(source: file.source, diagnostics: file.diagnostics).lines()
    #expect(lines.count { $0.hasPrefix("error[E15]") } == 20)
    #expect(lines.last == "x.json: more than 20 problems; the others are omitted")
  }

  @Test(
    "A diagnostic never prints credentials",
    arguments: [
      "http://user:S3CRET@host/a.png", "http:/user:S3C RET@host/", "user:S3C/RET@host", #"http:\/\/user:S3C\"RET@host"#,
      #"http://user:S3CRET\u0040host"#, "http://user:S3C\u{A0}RET@host",
      "http://user:\(String(repeating: "S3C", count: 40))RET@host/",
    ])
  func credentials(_ address: String) {
    for member in ["path", "S3", address, "id"] {
      let file = SampleScenario.file(#"{"images": [{"id": "A", "\#(member)": "\#(address)"}], "titel": \#(address)}"#)
      let text = DiagnosticReport(source: file.source, diagnostics: file.diagnostics).lines().joined(separator: "\n")
      #expect(!file.diagnostics.isEmpty)
      #expect(!text.contains("S3C") && !text.contains("RET"), "\(text)")
    }
  }

  @Test("Hiding credentials does not shift the marks")
  func marksBehindCredentials() throws {
    let file = SampleScenario.file(#"{"title": "http://üser:S3CRET@h/a@2x.png", "titel": "/a@2x.png"}"#)
    let lines = DiagnosticReport(source: file.source, diagnostics: file.diagnostics).lines()
    let excerpt = try #require(lines.first { $0.contains("titel\": ") })
    #expect(excerpt.hasSuffix(#"| {"title": "http://*************h/a@2x.png", "titel": "/a@2x.png"}"#))
    let marks = try #require(lines.first { $0.contains("^^^^^^^") })
    let start = try #require(marks.firstIndex(of: "^"))
    let column = marks.distance(from: marks.startIndex, to: start)
    #expect(String(Array(excerpt)[column..<(column + 7)]) == #""titel""#)
  }

  @Test("Columns count characters, so the marks align with the text")
  func columnsAreCharacters() throws {
    let text = #"{"title": "Grüße 👩‍👩‍👧 é", "titel": "x"}"#
    let file = SampleScenario.file(text)
    let problem = try #require(file.diagnostics.first { $0.code == .unknownKey })
    #expect(file.source.position(of: problem.range.lowerBound) == .init(line: 1, column: 24))
    let excerpt = Excerpt(file.source, problem.range)
    #expect(Array(excerpt.text)[excerpt.indent...].prefix(excerpt.length) == Array(#""titel""#)[...])
  }

  @Test(
    "Marks align with their text whatever characters surround it",
    arguments: [
      "\u{200B}\u{301}", "\u{200E}\u{301}", "\u{AD}\u{301}", "\u{2028}\u{20DD}", "\u{600}", "\u{301}", "\u{200D}",
    ],
    [1, 40])
  func joiningCharacters(_ characters: String, _ count: Int) throws {
    let many = String(repeating: characters, count: count)
    let file = SampleScenario.file(#"{"title": "\#(many)", "titel": "\#(many)", "x": "\#(many)"}"#)
    let problem = try #require(file.diagnostics.first { $0.message.contains("titel") })
    let excerpt = Excerpt(file.source, problem.range)
    #expect(Array(excerpt.text)[excerpt.indent...].prefix(excerpt.length) == Array(#""titel""#)[...])
    #expect(DiagnosticReport(source: file.source, diagnostics: file.diagnostics).lines().count > 1)
  }

  @Test(
    "The parser reports an error on a line that begins with an incomplete UTF-8 sequence",
    arguments: ["", "{}\n", "{}\n{"])
  func brokenCodePoint(before: String) {
    let source = SourceText(path: "x.json", bytes: Array(before.utf8) + [0x80, 0xBF, 0x7B, 0x80])
    let file = ScenarioFile(source, vocabulary: .sample)
    #expect(file.diagnostics.map(\.code) == [.syntax])
    let lines = DiagnosticReport(source: source, diagnostics: file.diagnostics).lines()
    #expect(lines.contains { $0.contains("^ save the file as UTF-8") })
  }

  @Test("Unix, Windows, and old Mac line endings produce the same report")
  func carriageReturns() {
    let unix = SampleScenario.file("{\n\"scenario\": 1,\n\"nme\": \"x\"\n}")
    let windows = SampleScenario.file("{\r\n\"scenario\": 1,\r\n\"nme\": \"x\"\r\n}")
    let old = SampleScenario.file("{\r\"scenario\": 1,\r\"nme\": \"x\"\r}")
    let reports = [unix, windows, old].map { DiagnosticReport(source: $0.source, diagnostics: $0.diagnostics).lines() }
    #expect(reports[0] == reports[1])
    #expect(reports[0] == reports[2])
    #expect(reports[0].contains(" 3 | \"nme\": \"x\""))
  }

  @Test("A report prints no control characters from the file")
  func controlCharactersAreNotPrinted() {
    let file = SampleScenario.file("{\"\u{1B}[31m\u{202E}x\": 1}")
    let text = DiagnosticReport(source: file.source, diagnostics: file.diagnostics).lines().joined()
    #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
  }

  @Test(
    "Advice that repeats a name prints no control characters",
    arguments: [
      #""steps": [{"at": "0ms", "do": "select", "image": "ID"}, {"at": "0ms", "do": "select", "image": "B"}]"#,
      #""steps": [{"at": "0ms", "do": "wait-idle", "id": "ID"}, {"after": "b", "do": "wait-idle"}]"#,
      #""steps": [{"at": "0ms", "do": "appear", "view": "ID"}], "expect": [{"final": {"b.visible": true}}]"#,
      #""steps": [{"at": "0ms", "do": "appear", "view": "ID"}], "expect": [{"never": {"event": "view.appear", "view": "b"}}]"#,
    ])
  func controlCharactersInAdvice(_ members: String) {
    for id in [#"A\u001b[31m"#, #"B\u001b"#] {
      let text = #"{"scenario": 1, "name": "x", "images": [{"id": "\#(id)", "path": "/a"}], "# + members + "}"
      let file = SampleScenario.file(text.replacing("ID", with: id))
      let lines = DiagnosticReport(source: file.source, diagnostics: file.diagnostics).lines()
      #expect(!lines.isEmpty)
      #expect(!lines.joined().unicodeScalars.contains { $0.value == 0x1B }, "\(lines)")
      #expect(!file.diagnostics.contains { $0.advice?.contains("\u{1B}") == true })
    }
  }

  @Test(
    "The format rejects only a Location that makes Foundation trap",
    arguments: [
      ("//[::1]/", false), ("//a%2Fb/x", false), ("//[::1]", false), ("//a%20b?x", false), ("//a.png", true),
      ("http://[::1]/", true), ("/a%2Fb", true), ("//h:80/%20[x]", true), ("b.png", true), ("file:///etc", true),
    ])
  func deadlyLocations(_ location: String, _ isFine: Bool) {
    for name in ["Location", "loCATION"] {
      let response = #"{"status": 302, "headers": {"\#(name)": "\#(location)"}}"#
      for origin in [
        #""origin": {"default": \#(response)}, "steps": []"#,
        #""origin": {"routes": [{"path": "/a", "responses": [\#(response)]}]}, "steps": []"#,
        #""steps": [{"at": "0ms", "do": "origin", "path": "/a", "responses": [\#(response)]}]"#,
      ] {
        let file = SampleScenario.file(#"{"scenario": 1, "name": "x", \#(origin)}"#)
        #expect((file.scenario != nil) == isFine)
        #expect(file.diagnostics.map(\.code) == (isFine ? [] : [.wrongValue]))
      }
    }
  }
}
