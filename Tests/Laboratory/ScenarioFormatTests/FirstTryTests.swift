import ScenarioSamples
import Testing

@testable import ScenarioFormat

/// The advice for mistakes that are common in first attempts.
@Suite struct FirstTryTests {
  @Test(
    "A misplaced or foreign word is answered with the key, the place, or the value to write",
    arguments: [
      (#""server": {}"#, #"did you mean "origin"?"#), (#""actions": []"#, #"did you mean "steps"?"#),
      (#""expectations": []"#, #"did you mean "expect"?"#),
      (#""retry": 1"#, #"it belongs in "limits", as in "limits": {"retries": 1}"#),
      (
        #""images": [{"id": "A", "path": "/a"}], "expect": [{"never": "fetch.done A"}]"#,
        #"write {"event": "fetch.done", "image": "A"}"#
      ),
      (#""steps": [{"at": "0ms", "Do": "appear"}]"#, #"write "do" instead of "Do""#),
      (#""slack": "100ms""#, #"it belongs in "timing", as in "timing": {"slack": "100ms"}"#),
      (#""retryDelay": 0.1"#, #"it belongs in "limits", as in "limits": {"retryDelay": "100ms"}"#),
      (
        #""origin": {"routes": [{"path": "/a.png", "responses": [{}], "status": 500}]}"#,
        #"it belongs in "responses", as in "responses": [{"status": 500}]"#
      ),
      (
        #""origin": {"routes": [{"path": "/a.png", "responses": [{"delay": "1s"}]}]}"#, #"did you mean "latency"?"#
      ),
      (
        #""origin": {"routes": [{"path": "/a.png", "responses": [{}], "times": 1}]}"#,
        #"write the response that often in "responses"; the last one is repeated"#
      ),
      (
        #""origin": {"routes": [{"path": "/a.png", "responses": [{}], "retryDelay": 0.1}]}"#,
        #"it applies to all fetches and belongs in "limits", next to "origin""#
      ),
      (#""origin": {"default": {"status": "500"}}"#, "remove the quotes: 500"),
      (#""origin": {"default": {"fault": "timeout"}}"#, #"did you mean "stall"?"#),
      (#""strategy": "urlsession""#, #"did you mean "dataTask"?"#),
      (#""images": [{"id": "B", "path": "b.png"}]"#, #"write it as "/b.png""#),
      (#""images": [{"id": "B", "path": "http://host/b.png"}]"#, #"write it as "/b.png""#),
      (#""steps": [{"at": "0ms", "do": "leave"}]"#, #"did you mean "disappear"?"#),
      (
        #""steps": [{"at": "0ms", "do": "wait"}]"#,
        #"give the next step a time: "at": "500ms", or "after" an id and "plus": "500ms"; "#
          + #""wait-idle" waits for the requests"#
      ),
      (
        #""steps": [{"at": "0ms", "do": "expect"}]"#,
        #"write it in the list "expect" of the file, next to "steps""#
      ),
      (
        #""steps": [{"after": "500ms", "do": "appear"}]"#,
        #"write "at": "500ms", or "after" an id and "plus": "500ms""#
      ),
      (
        #""steps": [{"after": "fetch.failed", "do": "appear"}]"#, #"write {"event": "fetch.failed"}"#
      ),
      (
        #""steps": [{"after": {"fetch.failed": "A"}, "do": "appear"}]"#,
        #"add "event" (such as "event": "fetch.failed")"#
      ),
      (#""steps": [{"at": "0ms", "action": "select"}]"#, #"add "do" (such as "do": "select")"#),
      (#""steps": [{"at": "0ms", "select": "A"}]"#, #"add "do" (such as "do": "select")"#),
      (#""expect": [{"never": "fetch.done"}]"#, #"write {"event": "fetch.done"}"#),
      (
        #""images": [{"id": "A", "path": "/a"}], "expect": [{"never": "A"}]"#,
        #"write {"event": "ui.update", "shown": "A"}"#
      ),
      (#""expect": [{"never": {"shown": "A"}}]"#, #"add "event" (such as "event": "ui.update")"#),
      (
        #""images": [{"id": "A", "path": "/a"}], "expect": [{"outcome": {"image": "A", "is": "error:503"}}]"#,
        #"did you mean "error:badStatus"?"#
      ),
      (#""timing": "100ms""#, #"write {"slack": "100ms"}"#),
      (#""strategies": "all""#, #"write ["blocking", "dataTask", "downloadTask", "async", "socket"]"#),
      (#""version": 1"#, #"did you mean "scenario"?"#),
      (#""steps": [{"at": 1, "do": "appear"}]"#, #"write "1s" if the number is in seconds, or "1ms""#),
      (#""steps": [{"at": "1min", "do": "appear"}]"#, #"write "60s""#),
      (#""steps": [{"at": "0.8 s", "do": "appear"}]"#, #"write "800ms""#),
      (#""steps": [{"at": "2h", "do": "appear"}]"#, #"the longest duration is "3600s""#),
      (#""steps": [{"at": "40µs", "do": "appear"}]"#, #"write "40us""#),
      (#""steps": [{"at": "1500µs", "do": "appear"}]"#, #"write "1500us""#),
      (#""steps": [{"at": "0ms", "do": "viewWillAppear"}]"#, #"did you mean "appear"?"#),
      (
        #""steps": [{"at": "0ms", "do": "appear", "expect": []}]"#,
        #"write it in the list "expect" of the file, next to "steps""#
      ),
      (
        #""expect": [{"event": "fetch.done"}]"#,
        #"write it in an expectation, such as {"never": {"event": "fetch.done", ...}} "#
          + #"or {"count": {"event": "fetch.done", ..., "equals": 1}}"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "expect": [{"final": {"shown": "A"}}]"#, #"such as "detail.shown""#
      ),
      (
        #""origin": {"routes": {"/a.png": {"latency": "1s"}}}"#,
        #"write [{"path": "/a.png", "responses": [{"status": 500}]}]"#
      ),
      (
        #""origin": {"routes": [{"path": "/a.png", "responses": {"latency": "800ms"}}]}"#,
        #"write brackets around it: [{"latency": ...}]"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "select", "image": "A"}], "#
          + #""expect": [{"never": {"event": "bus.post", "topic": "ImageFetchd"}}]"#,
        #"did you mean "ImageFetched"?"#
      ),
      (#""images": {"B": "/b.png"}"#, #"write [{"id": "B", "path": "/b.png"}]"#),
      (#""steps": [{"at": "0ms", "do": "appear", "id": "s"}, {"after": {"id": "s"}, "do": "appear"}]"#, #"write "s""#),
      (
        #""steps": [{"at": "0ms", "do": "appear", "id": "s"}, {"after": {"step": "s"}, "do": "appear"}]"#, #"write "s""#
      ),
      (
        #""expect": [{"never": {"event": "ImageFetched"}}]"#,
        #"it is a topic; write "event": "bus.post", "topic": "ImageFetched""#
      ),
      (#""expect": [{"never": {"event": "fetch.completed"}}]"#, #"did you mean "fetch.done"?"#),
      (
        #""images": [{"id": "A", "path": "/a"}], "expect": [{"final": {"A.state": "ok"}}]"#,
        #"did you mean "loaded"?"#
      ),
    ])
  func foreignWords(_ members: String, _ advice: String) {
    let steps = members.contains("\"steps\"") ? "" : #", "steps": [{"at": "0ms", "do": "appear"}]"#
    let file = SampleScenario.file(#"{"scenario": 1, "name": "x", \#(members)\#(steps)}"#)
    #expect(file.diagnostics.map(\.advice) == [advice])
  }

  @Test(
    "The advice for an invalid name is the name of the file, or a valid form of the text",
    arguments: [("m04", "m04"), (nil, "my-list"), ("my list", "my-list")])
  func invalidName(_ fileName: String?, _ name: String) {
    let text = #"{"scenario": 1, "name": "my list", "steps": []}"#
    let file = ScenarioFile(
      SourceText(path: "x.json", bytes: Array(text.utf8)), name: fileName, vocabulary: .sample)
    #expect(file.diagnostics.first?.advice == "write it as \"\(name)\"")
  }

  @Test("A file whose name is not valid is to be renamed")
  func invalidFileName() {
    let text = #"{"scenario": 1, "name": "my-list", "steps": []}"#
    let file = ScenarioFile(
      SourceText(path: "my_list.json", bytes: Array(text.utf8)), name: "my_list", vocabulary: .sample)
    #expect(file.diagnostics.first?.advice == #"rename the file: "my-list.json""#)
  }

  @Test("A file may name its JSON Schema")
  func schema() {
    let file = SampleScenario.file(#"{"$schema": "scenario.schema.json", "scenario": 1, "name": "x", "steps": []}"#)
    #expect(file.diagnostics == [])
  }

  @Test("The list of known images contains a doubled id only once")
  func doubledID() {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x",
       "images": [{"id": "A", "path": "/a"}, {"id": "B", "path": "/b"}, {"id": "A", "path": "/c"}],
       "steps": [{"at": "0ms", "do": "select", "image": "C"}]}
      """#)
    #expect(file.diagnostics.last?.advice == "choose from A, B")
  }

  @Test("A value of another shape is reported with an example that can be copied", arguments: WrongShapes.all)
  func shapes(_ member: String, _ wrong: String) throws {
    let standard = [
      ("images", #"[{"id": "A", "path": "/a.png"}]"#),
      ("steps", #"[{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}]"#),
    ]
    let others = standard.filter { !member.hasPrefix("\"\($0.0)\"") }.map { "\"\($0.0)\": \($0.1)" }
    let hasSteps = !member.hasPrefix("\"images\"")
    let read = { (value: String) in
      SampleScenario.file(
        #"{"scenario": 1, "name": "x", \#(member.replacing("@", with: value)), "#
          + (hasSteps ? others.joined(separator: ", ") : #""steps": []"#) + "}")
    }
    let problem = try #require(read(wrong).diagnostics.first)
    #expect(problem.message.contains(/expected (an object|a list), found/), "\(problem.message)")
    let example = try #require(problem.advice?.wholeMatch(of: /write (.+)/)?.1)
    #expect(read(String(example)).diagnostics == [], "\(example)")
  }

  @Test(
    "An update without its content causes no warning if the placeholder cannot satisfy the expectation",
    arguments: [
      (#"{"within": {"event": "ui.update", "image": "A", "limit": "1s"}}"#, 1),
      (#"{"within": {"event": "ui.update", "image": "A", "after": {"event": "view.select"}, "limit": "1s"}}"#, 1),
      (
        #"{"within": {"event": "ui.update", "image": "A", "after": {"event": "fetch.done", "image": "A"}, "limit": "1s"}}"#,
        0
      ),
      (#"{"within": {"event": "ui.update", "image": "A", "shown": "placeholder", "limit": "1s"}}"#, 0),
      (#"{"within": {"event": "ui.update", "view": "detail", "limit": "1s"}}"#, 0),
      (#"{"count": {"event": "ui.update", "image": "A", "atLeast": 1}}"#, 1),
      (#"{"count": {"event": "ui.update", "image": "A", "equals": 1}}"#, 0),
      (#"{"count": {"event": "ui.update", "image": "A", "atMost": 2}}"#, 0),
      (#"{"order": [{"event": "view.select"}, {"event": "ui.update", "image": "A"}]}"#, 1),
      (#"{"order": [{"event": "fetch.done", "image": "A"}, {"event": "ui.update", "image": "A"}]}"#, 0),
      (#"{"order": [{"event": "ui.update", "image": "A"}, {"event": "ui.update", "shown": "A"}]}"#, 0),
    ])
  func placeholders(_ expectation: String, _ warnings: Int) {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "clocks": ["virtual"], "images": [{"id": "A", "path": "/a"}],
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
       "expect": [\#(expectation)]}
      """#)
    #expect(file.diagnostics.map(\.code) == Array(repeating: .placeholderCounts, count: warnings))
  }
}

/// Values of a shape other than the format's.
private enum WrongShapes {
  /// Files with a value of another shape, marked by `@`, and what to put there.
  static let all: [(String, String)] = [
    (#""expect": @"#, "{}"), (#""expect": [@]"#, #""A is shown""#),
    (#""expect": [{"final": @}]"#, #""A""#), (#""expect": [{"within": @}]"#, "1"),
    (#""expect": [{"count": @}]"#, "3"), (#""expect": [{"order": @}]"#, #""A, B""#),
    (#""expect": [{"order": [@, {"event": "fetch.done"}]}]"#, #""A""#), (#""expect": [{"never": @}]"#, #""A""#),
    (#""expect": [{"always": @}]"#, #""A""#), (#""expect": [{"nth": @}]"#, "1"), (#""expect": [{"atOnce": @}]"#, "2"),
    (#""expect": [{"always": {"event": "ui.update", "is": @}}]"#, #""main""#),
    (#""expect": [{"apart": @}]"#, #""1s""#), (#""expect": [{"outcome": @}]"#, #""loaded""#),
    (#""expect": [{"leaks": @}]"#, "0"), (#""expect": [{"lane": @}]"#, #""main""#),
    (#""expect": [{"stall": @}]"#, #""20ms""#),
    (#""origin": @"#, #"[{"path": "/a.png", "status": 500}]"#), (#""origin": {"routes": @}"#, "{}"),
    (#""origin": {"routes": [@]}"#, #""/a.png""#), (#""origin": {"default": @}"#, "500"),
    (#""origin": {"routes": [{"path": "/a.png", "responses": @}]}"#, "{}"),
    (#""origin": {"routes": [{"path": "/a.png", "responses": [@]}]}"#, "500"),
    (#""origin": {"default": {"headers": @}}"#, #""X-Which: 1""#),
    (#""origin": {"default": {"latency": {"uniform": @}}}"#, #""20ms""#),
    (#""origin": {"default": {"latency": {"lognormal": @}}}"#, #""20ms""#),
    (#""clocks": @"#, #""both""#), (#""clocks": @"#, #""virtual""#), (#""strategies": @"#, #""async""#),
    (#""variants": @"#, #""fixed""#), (#""cache": @"#, "10"), (#""limits": @"#, "3"), (#""pool": @"#, "2"),
    (#""timing": "any", "explore": @"#, "1000"), (#""timing": "any", "explore": {"find": @}"#, #""stale-image""#),
    (#""images": @"#, #""A""#), (#""images": [@]"#, "1"), (#""steps": @"#, "{}"), (#""steps": [@]"#, #""appear""#),
  ]
}
