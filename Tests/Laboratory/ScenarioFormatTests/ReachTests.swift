import ScenarioSamples
import Testing

@testable import ScenarioFormat

/// The expectations that are rejected because no run of the file can break or fulfill them, and those that are
/// accepted.
@Suite struct ReachTests {
  /// Returns the codes for an expectation in a file that shows image `A`, never selects `B`, and selects `C` for a view
  /// that never appears.
  private static func codes(_ expectation: String) -> [Diagnostic.Code] { errors(expectation).map(\.code) }

  /// Omits the warning about the view that never appears.
  private static func errors(_ expectation: String) -> [Diagnostic] {
    file(expectation).diagnostics.filter { $0.code != .unseenView }
  }

  private static func file(_ expectation: String) -> ScenarioFile {
    SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x",
       "images": [{"id": "A", "path": "/a"}, {"id": "B", "path": "/b"}, {"id": "C", "path": "/c"}],
       "steps": [
        {"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
        {"at": "0ms", "do": "select", "image": "C", "view": "hidden"}, {"at": "0ms", "do": "note", "text": "n"}],
       "expect": [\#(expectation)]}
      """#
    )
  }

  @Test(
    "An expectation that cannot fail or cannot hold is rejected",
    arguments: [
      #"{"never": {"event": "ui.update", "image": "B"}}"#, #"{"never": {"event": "ui.update", "view": "side"}}"#,
      #"{"never": {"event": "memory.warning"}}"#, #"{"never": {"event": "bus.deliver", "topic": "saved"}}"#,
      #"{"never": {"event": "bus.deliver", "subscriber": "side"}}"#,
      #"{"never": {"event": "bus.deliver", "subscriber": "none"}}"#,
      #"{"never": {"event": "bus.deliver", "topic": "ImageFetched", "image": "B"}}"#,
      #"{"final": {"B.state": "idle"}}"#, #"{"final": {"B.state": "loaded"}}"#,
      #"{"final": {"hidden.shown": "A"}}"#, #"{"final": {"hidden.visible": true}}"#,
      #"{"outcome": {"image": "B", "is": "none"}}"#,
      #"{"always": {"event": "ui.update", "view": "detail", "is": {"view": "detail"}}}"#,
      #"{"lane": {"event": "ui.update", "lane": "main", "is": "main"}}"#,
      #"{"count": {"event": "ui.update", "atMost": 20000}}"#, #"{"count": {"event": "ui.update", "atMost": 10080}}"#,
      #"{"count": {"event": "ui.update", "atLeast": 10081}}"#, #"{"count": {"event": "ui.update", "equals": 20000}}"#,
    ])
  func pointless(_ expectation: String) {
    #expect(Self.codes(expectation) == [.pointlessExpectation])
  }

  @Test(
    "An expectation that a wrong program may violate is accepted",
    arguments: [
      #"{"never": {"event": "bus.deliver"}}"#, #"{"never": {"event": "bus.post", "subscriber": "none"}}"#,
      #"{"never": {"event": "bus.deliver", "topic": "ImageFetched", "image": "A", "subscriber": "detail"}}"#,
      #"{"never": {"event": "fetch.cancelled"}}"#, #"{"never": {"event": "fetch.cancelled", "image": "A"}}"#,
      #"{"never": {"event": "ui.update", "shown": "nothing"}}"#, #"{"never": {"event": "ui.update", "shown": "A"}}"#,
      #"{"never": {"event": "ui.update", "shown": "B"}}"#, #"{"never": {"event": "ui.update", "image": "A"}}"#,
      #"{"final": {"detail.shown": null}}"#, #"{"final": {"detail.shown": "B"}}"#,
      #"{"final": {"detail.shown": "placeholder"}}"#,
      #"{"final": {"A.state": "idle"}}"#, #"{"final": {"detail.visible": true}}"#,
      #"{"outcome": {"image": "A", "is": "none"}}"#,
      #"{"always": {"event": "ui.update", "view": "detail", "is": {"view": "detail", "lane": "main"}}}"#,
      #"{"always": {"event": "fetch.done", "is": {"image": "A"}}}"#, #"{"lane": {"event": "ui.update", "is": "main"}}"#,
      #"{"never": {"event": "request.begin", "lane": "main"}}"#,
      #"{"never": {"event": "request.begin", "path": "/b"}}"#,
      #"{"count": {"event": "ui.update", "atMost": 10079}}"#,
      #"{"count": {"event": "ui.update", "atLeast": 1, "atMost": 20000}}"#,
    ])
  func meaningful(_ expectation: String) {
    #expect(Self.codes(expectation) == [])
  }

  @Test(
    "The longest duration of a run includes the latency and the bandwidth that its steps set",
    arguments: [
      (#""latency": "4s""#, 6), (#""latency": {"uniform": ["1s", "4s"]}, "bandwidth": 1000000"#, 6),
      (#""bandwidth": 3342"#, 6),
      ("", 2),
    ])
  func slowNetwork(_ keys: String, _ seconds: Int) {
    let codes = { (limit: Int) in
      SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a"}],
         "steps": [
          {"at": "0ms", "do": "select", "image": "A"}, {"at": "0ms", "do": "network"\#(keys.isEmpty ? "" : ", " + keys)}],
         "expect": [{"within": {"event": "fetch.done", "limit": "\#(limit)s"}}]}
        """#
      ).diagnostics.map(\.code)
    }
    #expect(codes(seconds + 1) == [.pointlessExpectation])
    #expect(codes(seconds) == [])
  }

  @Test("The error tells whether an expectation can never hold or never fail")
  func never() {
    let messages = { (expectation: String) in Self.errors(expectation).map(\.message) }
    #expect(messages(#"{"final": {"hidden.shown": "A"}}"#).first?.contains("that can never hold") == true)
    #expect(messages(#"{"final": {"hidden.shown": null}}"#).first?.contains("that can never fail") == true)
    #expect(messages(#"{"final": {"hidden.visible": false}}"#).first?.contains("that can never fail") == true)
    #expect(messages(#"{"final": {"B.state": "loaded"}}"#).first?.contains("that can never hold") == true)
  }

  @Test(
    "An unreadable part of a file does not make an expectation seem impossible",
    arguments: [
      (#""images": [{"id": "A"}, {"id": "B", "path": "/b"}]"#, #"{"never": {"event": "ui.update", "shown": "B"}}"#),
      (
        #""images": [{"id": "A", "path": "/a"}], "origin": {"routes": 1}"#,
        #"{"never": {"event": "request.end", "path": "/b"}}"#
      ),
      (
        #""images": [{"id": "A", "path": "/a"}], "origin": {"default": {"hedaers": {}}}"#,
        #"{"never": {"event": "request.end", "path": "/b"}}"#
      ),
    ])
  func unreadable(_ members: String, _ expectation: String) {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", \#(members),
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
       "expect": [\#(expectation)]}
      """#)
    #expect(file.diagnostics.count == 1)
    #expect(!file.diagnostics.contains { $0.code == .pointlessExpectation })
  }
}
