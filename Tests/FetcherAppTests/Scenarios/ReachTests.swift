import Testing

@testable import FetcherApp

/// Which expectations are refused, as nothing that this file does can break or fulfil them, and which are not.
@Suite struct ReachTests {
  /// A picture `A` that is shown, one `B` that nobody wants, and one `C` that is chosen for a view that never appears.
  private static func codes(_ expectation: String, origin: String = "{}") -> [Diagnostic.Code] {
    SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x",
       "images": [{"id": "A", "path": "/a"}, {"id": "B", "path": "/b"}, {"id": "C", "path": "/c"}],
       "origin": \#(origin),
       "steps": [
        {"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
        {"at": "0ms", "do": "select", "image": "C", "view": "hidden"}, {"at": "0ms", "do": "note", "text": "n"}],
       "expect": [\#(expectation)]}
      """#
    ).diagnostics.map(\.code)
  }

  @Test(
    "An expectation is refused that no run can break, or none can fulfil",
    arguments: [
      #"{"never": {"event": "ui.update", "image": "B"}}"#, #"{"never": {"event": "ui.update", "shown": "B"}}"#,
      #"{"never": {"event": "ui.update", "image": "C"}}"#, #"{"final": {"B.state": "idle"}}"#,
      #"{"final": {"B.state": "loaded"}}"#, #"{"final": {"C.state": "idle"}}"#,
      #"{"outcome": {"image": "B", "is": "none"}}"#,
      #"{"always": {"event": "ui.update", "view": "detail", "is": {"view": "detail"}}}"#,
      #"{"always": {"event": "ui.update", "lane": "main", "view": "detail", "is": {"view": "detail", "lane": "main"}}}"#,
      #"{"always": {"event": "note", "is": {"lane": "user"}}}"#,
      #"{"lane": {"event": "ui.update", "lane": "main", "is": "main"}}"#,
      #"{"lane": {"event": "note", "is": "user"}}"#, #"{"never": {"event": "request.begin", "path": "/tpyo.png"}}"#,
      #"{"never": {"event": "request.end", "path": "/b"}}"#, #"{"never": {"event": "fetch.start", "lane": "origin"}}"#,
      #"{"never": {"event": "ui.update", "lane": "user"}}"#, #"{"never": {"event": "note", "lane": "main"}}"#,
      #"{"count": {"event": "ui.update", "atMost": 20000}}"#, #"{"count": {"event": "ui.update", "atMost": 10000}}"#,
      #"{"count": {"event": "ui.update", "atLeast": 10001}}"#, #"{"count": {"event": "ui.update", "equals": 20000}}"#,
    ])
  func pointless(_ expectation: String) {
    #expect(Self.codes(expectation) == [.pointlessExpectation])
  }

  @Test(
    "An expectation is accepted that a wrong program may break",
    arguments: [
      #"{"never": {"event": "ui.update", "shown": "nothing"}}"#, #"{"never": {"event": "ui.update", "shown": "A"}}"#,
      #"{"never": {"event": "ui.update", "shown": "placeholder"}}"#,
      #"{"never": {"event": "ui.update", "image": "A"}}"#,
      #"{"final": {"detail.shown": null}}"#, #"{"final": {"detail.shown": "B"}}"#,
      #"{"final": {"detail.shown": "placeholder"}}"#,
      #"{"final": {"A.state": "idle"}}"#, #"{"final": {"detail.visible": true}}"#,
      #"{"outcome": {"image": "A", "is": "none"}}"#,
      #"{"always": {"event": "ui.update", "view": "detail", "is": {"view": "detail", "lane": "main"}}}"#,
      #"{"always": {"event": "fetch.done", "is": {"image": "A"}}}"#, #"{"lane": {"event": "ui.update", "is": "main"}}"#,
      #"{"always": {"event": "ui.update", "is": {"lane": "main"}}}"#,
      #"{"never": {"event": "request.begin", "lane": "main"}}"#,
      #"{"never": {"event": "request.begin", "path": "/a"}}"#,
      #"{"never": {"event": "fetch.start", "lane": "workers"}}"#,
      #"{"count": {"event": "ui.update", "atMost": 9999}}"#,
      #"{"count": {"event": "ui.update", "atLeast": 1, "atMost": 20000}}"#,
    ])
  func meaningful(_ expectation: String) {
    #expect(Self.codes(expectation) == [])
  }

  @Test(
    "A picture that nobody selects is shown where an answer may lead to it",
    arguments: [
      #"{"routes": [{"path": "/a", "responses": [{"body": "B"}]}]}"#, #"{"default": {"body": "B"}}"#,
      #"{"routes": [{"path": "/a", "responses": [{"status": 302, "headers": {"Location": "/b"}}]}]}"#,
      #"{"default": {"body": {"file": "b.png"}}}"#,
    ])
  func otherPictures(_ origin: String) {
    #expect(Self.codes(#"{"never": {"event": "ui.update", "shown": "B"}}"#, origin: origin) == [])
    // It is not fetched under its own name all the same.
    #expect(Self.codes(#"{"final": {"B.state": "loaded"}}"#, origin: origin) == [.pointlessExpectation])
  }

  @Test("A redirect may lead to the path of a pattern, a plain answer may not")
  func redirects() {
    let never = #"{"never": {"event": "request.begin", "path": "/b"}}"#
    let redirect = #"{"default": {"status": 307, "headers": {"location": "http://127.0.0.1/b"}}}"#
    #expect(Self.codes(never, origin: redirect) == [])
    #expect(Self.codes(never, origin: #"{"default": {"headers": {"location": "/b"}}}"#) == [.pointlessExpectation])
  }

  @Test("Images with one path share their picture")
  func sharedPaths() {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "images": [{"id": "B", "path": "/a"}, {"id": "A", "path": "/a"}],
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
       "expect": [{"never": {"event": "ui.update", "shown": "B"}}]}
      """#)
    #expect(file.diagnostics == [])
  }

  @Test(
    "Nothing is called impossible where what it depends on cannot be read",
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
