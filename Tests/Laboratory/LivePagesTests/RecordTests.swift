import Foundation
import LivePages
import OriginServer
import ScenarioEngine
import ScenarioFormat
import TestMachine
import Testing

/// Sessions that are played over sockets, recorded, and run again as scenarios.
@Suite(.playsSessions, .blocking, .serialized, .timeLimit(.minutes(10))) struct RecordTests {
  /// One part of a session: its steps, and the row that the tab waits for.
  struct Part: Sendable {
    let steps: String
    let row: String

    init(_ steps: String, _ row: String) { (self.steps, self.row) = (steps, row) }
  }

  struct Session: Sendable, CustomTestStringConvertible {
    let name: String
    let program: String
    let parts: [Part]
    /// The content of the last screen, and a wrong content.
    let last: String
    let other: String
    var testDescription: String { name }
  }

  private static func select(_ image: String, _ view: String = "detail") -> String {
    #"{"at": "0ms", "do": "select", "image": "\#(image)", "view": "\#(view)"}"#
  }

  private static func tap(_ control: String, _ view: String) -> String {
    #"{"at": "0ms", "do": "tap", "control": "\#(control)", "view": "\#(view)"}"#
  }

  private static func appear(_ view: String) -> String { #"{"at": "0ms", "do": "appear", "view": "\#(view)"}"# }

  static let sessions = [
    Session(
      name: "one selection", program: "demo-walk", parts: [Part(select("sunset"), "detail draws sunset")],
      last: #""detail.shown":"sunset""#, other: #""detail.shown":"city""#),
    Session(
      name: "two quick selections", program: "demo-walk",
      parts: [Part("[\(select("peaks")), \(select("city"))]", "ImageFetched peaks")],
      last: #""detail.shown":"city""#, other: #""detail.shown":"peaks""#),
    Session(
      name: "leave and return", program: "demo-walk",
      parts: [
        Part("[\(select("dunes")), {\"at\": \"0ms\", \"do\": \"disappear\"}]", "dunes is fetched"),
        Part(appear("detail"), "detail draws dunes"),
      ], last: #""detail.shown":"dunes""#, other: #""detail.shown":"placeholder""#),
    Session(
      name: "a failure and another picture", program: "demo-walk",
      parts: [Part(select("stars"), "stars fails"), Part(select("city"), "detail draws city")],
      last: #""detail.shown":"city""#, other: #""detail.shown":"placeholder""#),
    Session(
      name: "a switch in flight", program: "demo-walk",
      parts: [
        Part(
          "[\(select("peaks")), {\"at\": \"0ms\", \"do\": \"switch\", \"strategy\": \"async\"}]", "detail draws peaks"),
        Part(select("sunset"), "detail draws sunset"),
      ], last: #""detail.shown":"sunset""#, other: #""detail.shown":"peaks""#),
    Session(
      name: "a broken network", program: "demo-walk",
      parts: [
        Part(
          #"[{"at": "0ms", "do": "origin", "path": "/city-12.png", "responses": [{"status": 503, "body": {"bytes": 9}}, {"body": {"file": "city-12.png"}}]}, \#(select("city"))]"#,
          "city fails"), Part(select("city"), "detail draws city"),
      ], last: #""detail.shown":"city""#, other: #""detail.shown":"placeholder""#),
    Session(
      name: "a fault right after a selection", program: "demo-walk",
      parts: [
        Part(
          #"[\#(select("sunset")), {"at": "0ms", "do": "origin", "all": [{"fault": "refuse"}]}]"#, "detail draws sunset"
        ),
        Part(select("city"), "city fails"),
        Part(#"[{"at": "0ms", "do": "origin", "all": []}, \#(select("peaks"))]"#, "detail draws peaks"),
      ], last: #""detail.shown":"peaks""#, other: #""detail.shown":"sunset""#),
    Session(
      name: "a slow network", program: "demo-walk",
      parts: [
        Part(
          #"[{"at": "0ms", "do": "network", "latency": "300ms", "bandwidth": 10000000}, \#(select("city"))]"#,
          "detail draws city"),
        Part(#"[{"at": "0ms", "do": "network"}, \#(select("sunset"))]"#, "detail draws sunset"),
      ], last: #""detail.shown":"sunset""#, other: #""detail.shown":"city""#),
    Session(
      name: "ImageFetcher", program: "system-image-fetcher",
      parts: [
        Part(select("City at night"), "detail draws City at night"),
        Part(tap("collapse", "split"), "list disappears"),
        Part(#"{"at": "0ms", "do": "deselect", "view": "detail"}"#, "list shows"),
        Part(select("Mountains at dawn"), "detail draws Mountains at dawn"),
      ], last: #""detail.shown":"Mountains at dawn""#, other: #""detail.shown":"City at night""#),
    Session(
      name: "SlideShow", program: "system-slideshow",
      parts: [
        Part("[]", "manage shows 3 slides"),
        Part("[\(select("City at night", "preview")), \(appear("preview"))]", "preview draws City at night"),
      ], last: #""preview.shown":"City at night""#, other: #""preview.shown":"Mountains at dawn""#),
    Session(
      name: "Photorama", program: "system-photorama",
      parts: [
        Part("[]", "photos draws sunset"), Part(select("moon", "photos"), "photos draws moon"),
        Part(tap("upload", "photos"), "photos shows uploaded"),
      ], last: #""photos.shown":"moon""#, other: #""photos.shown":"sunset""#),
    Session(
      name: "SooGreyhounds", program: "system-soogreyhounds",
      parts: [
        Part("[]", "photos draws DeMeo"), Part(select("Caron_S17_3592", "photos"), "photos draws Caron"),
      ], last: #""photos.shown":"Caron_S17_3592""#, other: #""photos.shown":"DeMeo_J17_2595""#),
    Session(
      name: "iOS Concurrency", program: "system-ios-concurrency",
      parts: [
        Part("[]", "users shows 10 users"), Part(tap("user 3", "users"), "posts shows 10 posts"),
        Part(tap("back", "posts"), "users shows 10 users"),
      ], last: "10 posts of 1 user", other: "11 posts of 1 user"),
  ]

  @Test("A recorded session passes on both clocks, and fails if its last screen is wrong", arguments: sessions)
  func record(_ session: Session) async throws {
    let text = try recording(of: session)
    let found = try await failures(text)
    #expect(found == [], "\(text)")
    let wrong = text.replacing(session.last, with: session.other)
    #expect(wrong != text)
    let failures = try await failures(wrong)
    #expect(failures.count == 2, "the recording must fail on both clocks: \(failures)")
  }

  @Test("A step right after an event is recorded as waiting for that event") func aStepNearAnEventIsRecordedAfterIt()
    throws
  {
    let page = try TestPage([TestPage.shipped("demo-walk")])
    defer { page.stop() }
    let events = try page.events()
    _ = try page.step(Self.select("city"))
    _ = try events.row("city is fetched")
    _ = try page.step(Self.select("sunset"))
    _ = try events.row("detail draws sunset")
    let text = try Self.recording(page, events)
    // If the test is slower than 20 ms, the step has a time instead.
    let isNear = text.contains(#""after":{"event":"fetch.done","image":"city"}"#)
    #expect(isNear == text.contains("recorded after it: step 2"))
    #expect(isNear || text.components(separatedBy: #""at":"#).count == 5)
  }

  private static func recording(_ page: TestPage, _ events: PageClient) throws -> String {
    // A screen counts as settled only after it has stayed for a while.
    Thread.sleep(forTimeInterval: 0.15)
    #expect(try page.post("/record", #"{"tab": "test"}"#).status == 202)
    let file = try events.message("recorded").data["file"] as? String ?? ""
    let response = try page.request("GET", "/recording/\(file)?t=\(page.token)")
    #expect(response.fields["content-disposition"] == "attachment; filename=\"\(file)\"")
    return response.text
  }

  /// Plays a session, and returns its recording.
  private func recording(of session: Session) throws -> String {
    let page = try TestPage([TestPage.shipped(session.program)])
    defer { page.stop() }
    let events = try page.events()
    for part in session.parts {
      if part.steps != "[]" { #expect(try page.step(part.steps).status == 202) }
      if part.steps == "[]" { Thread.sleep(forTimeInterval: 0.3) } else { _ = try events.row(part.row) }
      // A user would look at the screen for a moment.
      Thread.sleep(forTimeInterval: 0.15)
    }
    return try Self.recording(page, events)
  }

  /// Returns the failures of a scenario on both clocks.
  private func failures(_ text: String) async throws -> [String] {
    let file = ScenarioFile(SourceText(path: "recorded.json", bytes: Array(text.utf8)), vocabulary: .shipped)
    let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message)) \(text)")
    #expect(file.diagnostics.map(\.message) == [])
    let virtual = VirtualScenarioRunner(scenario: scenario, folder: packageRoot).run(scenario.strategies[0])
    let origin = try OriginServer(content: OriginContent())
    defer { origin.stop() }
    let real = await ScenarioRunner(scenario: scenario, folder: packageRoot, origin: origin).run(scenario.strategies[0])
    return [(Scenario.Clock.virtual, virtual), (.real, real)].flatMap { clock, record in
      ScenarioOutcome(of: scenario, file.source, strategy: scenario.strategies[0], clock: clock, record)
        .failures.map { "\(clock): \($0.expectation): \($0.message)" }
    }
  }
}
