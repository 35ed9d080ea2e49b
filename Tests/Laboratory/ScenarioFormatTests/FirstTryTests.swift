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
      (
        #""timing": "any", "explore": {"budget": 100}"#,
        #"write "runs": 100 to limit the schedules, or a time such as "10s""#
      ),
      (
        #""timing": "any", "explore": {"bound": 1}"#,
        #"did you mean "delays"?"#
      ),
      (
        #""cache": false"#,
        #"write {"pictures": 0}"#
      ),
      (
        #""cache": 3"#,
        #"write {"pictures": 3}"#
      ),
      (
        #""limits": 3"#,
        #"write {"retries": 3}"#
      ),
      (
        #""images": [{"id": "A", "path": "/a", "size": "100 x 100"}]"#,
        #"write it as "100x100""#
      ),
      (
        #""images": [{"id": "A", "path": "/a", "size": "100×80"}]"#,
        #"write it as "100x80""#
      ),
      (
        #""images": [{"id": "A", "path": "/a", "size": [100, 80]}]"#,
        #"write it as "100x80""#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"final": [{"detail.shown": "A"}]}]"#,
        #"remove the brackets: {"detail.shown": "A"}"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"final": [{"detail.shown": "A"}, {"A.state": "loaded"}]}]"#,
        #"write one object: {"detail.shown": "A", "A.state": "loaded"}"#
      ),
      (
        #""steps": [{"at": "0ms", "do": "switch", "to": "async"}]"#,
        #"did you mean "strategy"?"#
      ),
      (
        #""strategys": ["async"]"#,
        #"did you mean "strategies"?"#
      ),
      (
        #"“title”: "x""#,
        #"write "title", with straight quotes"#
      ),
      (
        #""title": “x”"#,
        #"write "x", with straight quotes"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "select", "image": "A", "id": "tap"}], "expect": [{"within": {"event": "fetch.done", "after": {"step": "tap"}, "limit": "1s"}}]"#,
        #"write "tap""#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"never": {"count": {"event": "fetch.done", "equals": 2}}}]"#,
        #"write "count" without "never": {"count": {"event": "fetch.done", "equals": 2}}"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"final": {"detail.shown": "A"}, "never": {"event": "fetch.failed"}}]"#,
        #"write two entries: {"final": ...}, {"never": ...}"#
      ),
      (
        #""steps": ["disappear row1"]"#,
        #"write {"at": "0ms", "do": "disappear", "view": "row1"}"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": ["select A row1"]"#,
        #"write {"at": "0ms", "do": "select", "image": "A", "view": "row1"}"#
      ),
      (
        #""images": [{"id": "A", "url": "/a"}]"#,
        #"did you mean "path"?"#
      ),
      (
        #""origin": {"routes": [{"path": "/a.png", "response": [{}]}]}"#,
        #"did you mean "responses"?"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"within": {"event": "fetch.done", "atMost": "1s"}}]"#,
        #"did you mean "limit"?"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"count": {"event": "fetch.done"}, "equals": 4}]"#,
        #"write {"count": {..., "equals": 4}}"#
      ),
      (
        #""steps": [{"repeat": 3, "at": "0ms", "do": "note", "text": "n"}]"#,
        #"write {"repeat": 3, "every": "100ms", "steps": [{"at": "0ms", "do": "note", "text": "n"}]}"#
      ),
      (
        #""steps": [{"times": 4, "steps": [{"at": "0ms", "do": "appear"}]}]"#,
        #"write "repeat": 4"#
      ),
      (
        #""images": {"count": 3, "id": "p{i}", "path": "/{n}.png"}, "steps": [{"at": "0ms", "do": "select", "image": "p1"}]"#,
        #"write "p{n}""#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"outcome": {"A": "loaded"}}]"#,
        #"write {"image": "A", "is": "loaded"}"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"assert": {"detail.shown": "A"}}]"#,
        #"did you mean "final"?"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"eventually": {"event": "fetch.done", "limit": "1s"}}]"#,
        #"did you mean "within"?"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"detail.shown": "A"}]"#,
        #"it belongs in "final", as in "final": {"detail.shown": "A"}"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"lane": {"event": "ui.update", "is": "UI"}}]"#,
        #"did you mean "main"?"#
      ),
      (
        #""steps": [{"at": "0ms", "do": "publish", "topic": "t", "lane": "background"}]"#,
        #"did you mean "workers"?"#
      ),
      (
        #""onDisappear": true"#,
        #"choose from keep-loading, cancel"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"final": {"detail.visible": "false"}}]"#,
        #"remove the quotes: false"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"never": {"event": "fetch.failed", "error": "503"}}]"#,
        #"did you mean "badStatus"?"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"count": {"event": "fetch.done", "min": 1}}]"#,
        #"did you mean "atLeast"?"#
      ),
      (
        #""origin": {"retries": 2}"#,
        #"it applies to all fetches and belongs in "limits", next to "origin""#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}], "expect": [{"order": [{"event": "fetch.done"}]}]"#,
        #"add a later event, or write {"count": {..., "atLeast": 1}} for one event"#
      ),
      (
        #""limits": {"backoff": "exponential"}"#,
        #"write the factor, such as 2"#
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

  @Test(
    "Expectations that contradict each other are reported with the lines of both",
    arguments: [
      (#"{"final": {"detail.shown": "A"}}"#, #"{"final": {"detail.shown": "B"}}"#),
      (#"{"final": {"detail.shown": null}}"#, #"{"final": {"detail.shown": "B"}}"#),
      (
        #"{"count": {"event": "fetch.done", "image": "A", "equals": 4}}"#,
        #"{"count": {"event": "fetch.done", "image": "A", "equals": 5}}"#
      ),
      (
        #"{"never": {"event": "fetch.done"}}"#,
        #"{"within": {"event": "fetch.done", "image": "A", "limit": "1s"}}"#
      ),
      (#"{"order": [{"event": "fetch.start"}, {"event": "fetch.done"}]}"#, #"{"never": {"event": "fetch.done"}}"#),
    ])
  func contradictions(_ one: String, _ other: String) {
    let file = { (one: String, other: String) in
      SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}, {"id": "B", "path": "/b"}],
         "steps": [
          {"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
          {"at": "0ms", "do": "select", "image": "B"}],
         "expect": [
          \#(one),
          \#(other)]}
        """#)
    }
    #expect(file(one, other).diagnostics.map(\.code) == [.pointlessExpectation])
    #expect(
      file(one, other).diagnostics.first?.message.hasPrefix("an expectation that contradicts the one in line 6: ")
        == true)
    for twice in [one, other] { #expect(file(twice, twice).diagnostics == []) }
  }

  @Test("An expectation of more specific events does not contradict one of the others")
  func noContradiction() {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}, {"id": "B", "path": "/b"}],
       "steps": [{"at": "0ms", "do": "select", "image": "A"}, {"at": "0ms", "do": "select", "image": "B"}],
       "expect": [
        {"never": {"event": "fetch.done", "image": "A"}}, {"count": {"event": "fetch.done", "atLeast": 1}},
        {"final": {"A.state": "loaded"}}, {"final": {"B.state": "loaded"}}]}
      """#)
    #expect(file.diagnostics == [])
  }

  @Test("A misspelled view is an error, also if only a selection names it")
  func misspelledView() {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}],
       "steps": [{"at": "0ms", "do": "appear", "view": "preview"}, {"at": "0ms", "do": "select", "image": "A", "view": "prevew"}]}
      """#)
    #expect(file.diagnostics.map(\.code) == [.wrongValue])
  }

  @Test("A view with an unknown index is reported only for its index")
  func unknownIndex() {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x",
       "steps": [{"at": "0ms", "do": "appear", "view": "preview"}, {"at": "0ms", "do": "disappear", "view": "row{i}"}]}
      """#)
    #expect(file.diagnostics.map(\.code) == [.unknownIndex])
  }

  @Test(
    "A selection in a view that has disappeared causes a warning, unless the view appears again",
    arguments: [false, true])
  func lateSelection(_ appearsAgain: Bool) {
    let again = appearsAgain ? #", {"at": "2ms", "do": "appear"}"# : ""
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}],
       "steps": [
        {"at": "0ms", "do": "appear"}, {"at": "1ms", "do": "disappear"}, {"at": "1ms", "do": "select", "image": "A"}\#(again)]}
      """#)
    #expect(file.diagnostics.map(\.code) == (appearsAgain ? [] : [.unseenView]))
  }

  @Test("Rounds that overlap are reported once per repetition, with the time that is missing")
  func overlap() {
    let repetition =
      #"{"repeat": 4, "every": "50ms", "steps": [{"at": "0ms", "do": "note", "text": "a"}, {"at": "30ms", "do": "note", "text": "b"}, {"at": "70ms", "do": "note", "text": "c"}]}"#
    let file = SampleScenario.file(
      #"{"scenario": 1, "name": "x", "steps": [\#(repetition), {"at": "1s", "do": "wait-idle"}]}"#)
    #expect(file.diagnostics.map(\.message) == ["round 2 begins 20ms before the previous round ends"])
    #expect(file.diagnostics.first?.advice == #"increase "every" by 20ms, or do this step one round later, with {n-1}"#)
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
