import Foundation
import OriginServer
import ScenarioEngine
import ScenarioFormat
import Scheduling
import TestMachine
import Testing

@testable import LivePages

@Suite(.playsSessions, .blocking, .serialized, .timeLimit(.minutes(10))) final class SessionTests {
  private let page: TestPage

  init() throws { page = try TestPage() }

  deinit { page.stop() }

  private func select(_ image: String) -> String {
    #"{"at": "0ms", "do": "select", "image": "\#(image)", "view": "detail"}"#
  }

  @Test("A selection shows the model's picture") func aSelectionShowsThePictureOfTheModel() throws {
    let events = try page.events()
    #expect(try page.step(select("A")).status == 202)
    let name = try events.picture(of: "A")
    let response = try page.request("GET", "/picture/\(name)?t=\(page.token)")
    #expect(response.status == 200)
    #expect(response.fields["content-type"] == "image/png")
    #expect(response.body == Array(PatternPicture(seed: 1, width: 64, height: 64).png))
  }

  @Test("The page sends no extra requests to the origin") func thePageAddsNoRequestToTheOrigin() throws {
    let events = try page.events()
    for image in ["A", "C", "A"] {
      _ = try page.step(select(image))
      _ = try page.request("GET", "/picture/\(try events.picture(of: image))?t=\(page.token)")
    }
    #expect(page.page.session.requests == ["/a.png": 1, "/c.png": 1])
  }

  @Test("A step that waits for main is not performed in the session that begins meanwhile")
  func stepOfAnOldSession() throws {
    _ = try page.step(#"{"at": "0ms", "do": "busy", "for": "500ms"}"#)
    _ = try page.step(select("C"))
    _ = try page.post("/session", "{}")
    let events = try page.events()
    _ = try page.step(select("A"))
    _ = try events.picture(of: "A")
    #expect(page.page.session.requests == ["/a.png": 1])
  }

  @Test("A failed fetch shows its message on the screen") func aFailureShowsItsMessage() throws {
    let events = try page.events()
    _ = try page.step(select("missing"))
    try events.message("screens") { data in
      (data["screens"] as? [[String: Any]])?.contains { ($0["problem"] as? String)?.contains("404") == true } == true
    }
  }

  @Test("An invalid step gets 400 with the messages of `fetcher check`") func anInvalidStepGetsTheMessagesOfCheck()
    throws
  {
    let response = try page.step(#"{"at": "0ms", "do": "select", "image": "missin", "view": "detail"}"#)
    #expect(response.status == 400)
    #expect(response.text.contains("is not declared"))
    #expect(response.text.contains("did you mean"))
    #expect(response.text.contains(#""column":40"#))
    for text in ["", "{", "[1]", #"{"do": "select"}"#, #"{"at": "0ms", "do": "slect", "image": "A"}"#] {
      #expect(try page.step(text).status == 400, "\(text)")
    }
  }

  @Test("After a switch, the fetch in flight keeps its strategy, and a remark says so")
  func theFetchInFlightKeepsItsStrategyAndTheRemarkSaysSo() throws {
    // On a busy machine, the second step must arrive before the picture.
    let list = TestPage.list.replacing(#""latency": "250ms""#, with: #""latency": "4s""#)
    let page = try TestPage([TestPage.program(list)])
    defer { page.stop() }
    let events = try page.events()
    _ = try page.step(select("B"))
    _ = try page.step(#"{"at": "0ms", "do": "switch", "strategy": "async"}"#)
    try events.remark {
      $0["text"] as? String == "The fetch of B in flight keeps dataTask. The next fetch uses async."
    }
    #expect(try events.row("B is fetched") == "B is fetched")
  }

  @Test("A remark names a late picture that has no subscriber") func theRemarkNamesALatePictureWithoutSubscriber()
    throws
  {
    let events = try page.events()
    _ = try page.step("[\(select("B")), \(select("A"))]")
    try events.remark {
      ($0["text"] as? String)?.wholeMatch(
        of:
          /`ImageFetched B` found no subscriber: detail unsubscribed \d+ ms earlier\. The model keeps the picture for the next view\./
      ) != nil
    }
  }

  @Test("A tab that reconnects continues after its last message") func aTabThatReconnectsContinuesAfterItsLastMessage()
    throws
  {
    let events = try page.events()
    _ = try page.step(select("A"))
    let last = try events.message("rows")
    events.shut()
    _ = try page.step(select("C"))
    let again = try page.events(after: last.id)
    let next = try again.message()
    #expect(next.id == last.id + 1)
    #expect(next.event != "session")
  }

  @Test("A tab that reconnects with an unknown id receives a snapshot") func aTabWithAnUnknownIdGetsASnapshot() throws {
    for id in [-5, 1_000_000, .max, .min] { #expect(try page.events(after: id).message().event == "session") }
  }

  @Test("A hidden tab does not delay the session, and receives a snapshot with the last rows")
  func aHiddenTabDelaysNothingAndGetsASnapshotWithTheLastRows() throws {
    let hidden = try page.events()
    try hidden.message("session")
    // Rows with long texts fill the buffers of the socket, because the hidden tab does not read.
    let note = #"{"at": "0ms", "do": "note", "text": "\#(String(repeating: "x", count: 2000))"}"#
    let notes = "[" + Array(repeating: note, count: 25).joined(separator: ",") + "]"
    for _ in 0..<400 { #expect(try page.step(notes).status == 202) }
    var (last, snapshots) = (0, [[String: Any]]())
    while last < 9_990 {
      let message = try hidden.message()
      let run = message.data["run"] as? [String: Any] ?? [:]
      guard let first = run["i"] as? Int, let rows = run["r"] as? [Any] else { continue }
      last = first + rows.count - 1
      if message.event == "session" { snapshots.append(run) }
    }
    #expect(!snapshots.isEmpty)
    #expect(snapshots.allSatisfy { $0["i"] as? Int ?? 0 > 0 })
    #expect(snapshots.allSatisfy { ($0["r"] as? [Any])?.count ?? 0 <= MessageHub.capacity })
  }

  @Test("Two tabs show the same session") func twoTabsSeeTheSameSession() throws {
    let tabs = [try page.events(), try page.events()]
    _ = try page.step(select("A"))
    let names = try tabs.map { try $0.picture(of: "A") }
    #expect(names[0] == names[1])
  }

  @Test("A change of latency and bandwidth is one row and one action") func aChangeOfTheNetworkIsOneRowAndOneAction()
    throws
  {
    let events = try page.events()
    _ = try page.step(#"{"at": "0ms", "do": "network", "latency": "1s", "bandwidth": 100000}"#)
    #expect(try events.row("the network") == "the network changes: latency 1s, bandwidth 100000")
    #expect(try page.post("/record", #"{"tab": "test"}"#).status == 202)
    #expect(try events.message("recorded").data["steps"] as? Int == 1)
  }

  @Test("A page that is loaded again receives the network and the faults that the session has set")
  func aReloadedPageReceivesTheNetworkAndTheFaults() throws {
    let events = try page.events()
    let fault = #"{"at":"0ms","do":"origin","path":"/a.png","responses":[{"fault":"reset"}]}"#
    let last = [
      #"{"all":[{"fault":"refuse"}],"at":"0ms","do":"origin"}"#,
      #"{"at":"0ms","do":"network","latency":"1s"}"#,
      #"{"at":"0ms","do":"origin","path":"/a.png","responses":[{"status":404}]}"#,
      #"{"at":"0ms","do":"origin","path":"/b.png","responses":[{"status":503}]}"#,
    ]
    let earlier = [
      #"{"at": "0ms", "do": "network", "bandwidth": 9}"#, fault, #"{"at": "0ms", "do": "origin", "all": []}"#,
    ]
    _ = try page.step("[\((earlier + last).joined(separator: ", "))]")
    // Open tabs receive the same as a page that is loaded again.
    let told = try events.message("network").list
    let loaded = try page.events().message("session").data["changes"] as? [[String: Any]] ?? []
    for changes in [told, loaded] {
      let lines = try changes.map { change in
        String(
          decoding: try JSONSerialization.data(
            withJSONObject: change, options: [.sortedKeys, .withoutEscapingSlashes]), as: UTF8.self)
      }
      #expect(lines.sorted() == last)
    }
  }

  @Test("A restart begins a new session in the open tabs") func startingOverBeginsAnotherSessionForEachTab() throws {
    let events = try page.events()
    _ = try page.step(select("A"))
    _ = try events.picture(of: "A")
    #expect(try page.post("/session", "{}").status == 202)
    let session = try events.message("session")
    #expect(((session.data["run"] as? [String: Any])?["r"] as? [Any])?.isEmpty == true)
    #expect(try page.post("/session", #"{"program": "no-such"}"#).status == 400)
  }

  @Test("A remark names the invariant that a broken program violates")
  func anInvariantThatABrokenProgramViolatesIsNamed() throws {
    let broken = try TestPage([TestPage.program(variant: ProgramRegistry.brokenVariant)])
    defer { broken.stop() }
    let events = try broken.events()
    _ = try broken.step("[\(select("B")), \(select("A"))]")
    try events.remark { $0["isViolation"] as? Bool == true && "\($0)".contains("stale-image") }
  }

  @Test("An alarm names each wrong screen, while the right picture is still in flight, and links to its causes")
  func eachWrongScreenHasAnAlarm() throws {
    let broken = try TestPage([TestPage.program(variant: ProgramRegistry.brokenVariant)])
    defer { broken.stop() }
    let events = try broken.events()
    func alarm(_ shown: String, _ selected: String) throws -> [String: Any] {
      try events.remark {
        $0["isViolation"] as? Bool == true
          && ($0["text"] as? String ?? "").contains("shows \"\(shown)\" while \"\(selected)\" is selected")
      }
    }
    _ = try broken.step("[\(select("A")), \(select("B"))]")
    let first = try alarm("A", "B")
    #expect((first["causes"] as? [Int])?.count == 2)
    #expect((first["text"] as? String)?.contains("The subscription of event ") == true)
    // The messages are in order, so the picture arrives after the alarm.
    #expect(try events.row("B is fetched") == "B is fetched")
    _ = try broken.step("[\(select("C")), \(select("A"))]")
    _ = try alarm("C", "A")
  }

  @Test("The rows of a repair say that each address responds as scripted, also for one that is scripted as 404")
  func aRepairNamesTheScript() throws {
    let events = try page.events()
    func origin(_ path: String, _ responses: String) -> String {
      #"{"at": "0ms", "do": "origin", "path": "\#(path)", "responses": [\#(responses)]}"#
    }
    let (a, missing) = (#"{"latency": "5ms"}"#, #"{"status": 404, "body": {"bytes": 9}}"#)
    let fault = #"{"fault": "reset", "after": 1000, "body": {"bytes": 2000}}, "#
    _ = try page.step("[\(origin("/a.png", fault + a)), \(origin("/missing.png", fault + missing))]")
    #expect(
      try events.row("The next response to A")
        == "The next response to A is a connection that breaks off, and those after it are as scripted")
    #expect(try events.row("The next response to missing").hasPrefix("The next response to missing is a connection"))
    _ = try page.step("[\(origin("/a.png", a)), \(origin("/missing.png", missing))]")
    #expect(try events.row("A responds") == "A responds as scripted")
    #expect(try events.row("missing") == "missing responds as scripted")
  }

  @Test("With every strategy, the switches of the session are left out, so that each run keeps its strategy")
  func everyStrategyIgnoresSwitches() throws {
    let text = Locked("")
    let page = try TestPage { _, file, _ in
      let content = try String(contentsOf: file, encoding: .utf8)
      text.withLock { $0 = content }
      return (true, [], nil)
    }
    defer { page.stop() }
    let events = try page.events()
    _ = try page.step("[\(select("A")), {\"at\": \"0ms\", \"do\": \"switch\", \"strategy\": \"async\"}]")
    _ = try events.picture(of: "A")
    #expect(try page.post("/strategies", "{}").status == 202)
    let message = try events.message("tool") { $0["isRunning"] as? Bool == false }
    #expect(message.data["sentences"] as? [String] == ["Each run keeps its strategy. Your switches are left out."])
    #expect(text.withLock { $0 }.contains("\"select\""))
    #expect(!text.withLock { $0 }.contains("\"switch\""))
  }

  @Test("A tool is refused while another one runs, and two records have different names") func oneToolAtATime() throws {
    let isStarted = DispatchSemaphore(value: 0)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let page = try TestPage { _, _, _ in
      isStarted.signal()
      for await _ in ends {}
      return (true, [], nil)
    }
    defer { page.stop() }
    let events = try page.events()
    #expect(try page.post("/search", "{}").status == 202)
    isStarted.wait()
    let refused = try page.post("/strategies", "{}")
    #expect(refused.status == 409)
    #expect(refused.text.contains("another tool is running"))
    end.finish()
    _ = try events.message("tool") { $0["isRunning"] as? Bool == false }
    let names = try (0..<2).map { _ in
      #expect(try page.post("/record", #"{"tab": "test"}"#).status == 202)
      return try events.message("recorded").data["file"] as? String
    }
    #expect(names[0] != nil && names[0] != names[1])
  }

  @Test(
    "A scenario that has ended says whether its expectations hold, if they can be judged here",
    arguments: [
      (#""expect": [{"final": {"detail.shown": "A"}}]"#, "1 expectation of the file holds.", true),
      (
        #""expect": [{"final": {"detail.shown": "placeholder"}}]"#,
        #"fails: final detail.shown: expected "placeholder", got "A""#, false
      ),
      (#""expect": [{"leaks": {"models": 0}}]"#, "no expectation that can be judged here", nil),
      (#""clocks": ["virtual"], "expect": [{"final": {"detail.shown": "A"}}]"#, "for the virtual clock", nil),
    ] as [(String, String, Bool?)])
  func aPlayedScenarioHasAVerdict(_ rest: String, _ text: String, _ ok: Bool?) throws {
    let json = """
      {"scenario": 1, "name": "played", "images": [{"id": "A", "path": "/a.png"}], \(rest),
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}, {"at": "10ms", "do": "wait-idle"}]}
      """
    let file = ScenarioFile(SourceText(path: "/nowhere/played.json", bytes: Array(json.utf8)), vocabulary: .shipped)
    try #require(file.scenario != nil, "\(file.diagnostics)")
    let page = try TestPage(scenarios: [file])
    defer { page.stop() }
    let events = try page.events()
    #expect(try page.post("/play", #"{"file": "played"}"#).status == 202)
    let message = try events.message("played") { $0["verdict"] != nil }
    #expect((message.data["verdict"] as? String)?.contains(text) == true, "\(message.data)")
    #expect(message.data["ok"] as? Bool == ok)
  }

  @Test("Step by step, a race happens in the order of the file, and a restart returns to the program")
  func aRaceHappensStepByStep() throws {
    let file = try ScenarioFile(path: packageRoot.appending(path: "scenarios/bus-no-subscriber.json").path)
    let page = try TestPage(scenarios: [file])
    defer { page.stop() }
    let events = try page.events()
    #expect(try page.post("/play", #"{"file": "bus-no-subscriber", "by": "step"}"#).status == 202)
    for move in [
      "step 1 of 4: ", "step 2 of 4: ", "step 3 of 4: ",
      "the response of B arrives, at the file's pace 60ms after its request",
      "the response of A arrives, at the file's pace 300ms after its request", "step 4 of 4: ",
    ] {
      try events.message("played") {
        ($0["move"] as? String)?.hasPrefix(move) == true && $0["isReady"] as? Bool == true
      }
      // The requests must arrive before the next move, as they do for a person.
      Thread.sleep(forTimeInterval: 0.3)
      #expect(try page.post("/play", #"{"by": "step"}"#).status == 202)
    }
    #expect(try events.row("A is late") == "A is late")
    #expect(try page.post("/session", "{}").status == 202)
    #expect(try events.message("session").data["title"] as? String == "List")
  }

  @Test("A page that is loaded again knows whether a request has used a response that was set for one request")
  func aReloadedPageKnowsAnArmedFault() throws {
    func requests() throws -> Int? {
      let changes = try page.events().message("session").data["changes"] as? [[String: Any]]
      return changes?.first?["requests"] as? Int
    }
    let events = try page.events()
    _ = try page.step(
      #"{"at": "0ms", "do": "origin", "path": "/a.png", "responses": [{"status": 404}, {"latency": "5ms"}]}"#)
    try events.message("network")
    #expect(try requests() == 0)
    _ = try page.step(select("A"))
    try events.message("network")
    #expect(try requests() == 1)
  }

  @Test("Stopping the page ends its event streams") func stoppingEndsTheStreams() throws {
    let other = try TestPage()
    let events = try other.events()
    try events.message("session")
    other.stop()
    #expect(events.ends())
  }
}
