import Foundation
import ScenarioSamples
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

extension RunsOverSockets {
  /// What the clocks once differed in, each as small as it gets.
  @Suite struct ClockDifferenceTests {
    /// One picture that is asked for at once, and a second one.
    private func scenario(_ responses: String, size: String = "64x64", more: String = "") throws -> Scenario {
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "pool": {"model": "darwin", "limit": 64},
         "images": [{"id": "A", "path": "/x/a.png", "size": "\#(size)"}, {"id": "B", "path": "/b.png"},
                    {"id": "C", "path": "/x/b.png"}],
         "origin": {"routes": [{"path": "/x/a.png", "responses": [\#(responses)]}]},
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}\#(more)]}
        """#)
      return try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    }

    /// Plays with these strategies side by side, and reports in what the clocks differ.
    @discardableResult private func compare(
      _ scenario: Scenario, _ strategies: [String] = Vocabulary.shipped.strategies
    ) async throws -> [ClockPair] {
      let tasks = strategies.map { strategy in
        Task {
          var pair = ClockPair(scenario, strategy)
          try await pair.settle(atMost: 6)
          return pair
        }
      }
      var pairs: [ClockPair] = []
      for task in tasks { pairs.append(try await task.value) }
      for pair in pairs { #expect(pair.difference == nil, "\(pair.strategy)") }
      return pairs
    }

    private static let observing = ["dataTask", "downloadTask", "async"]

    @Test("The progress of a paced body comes at the pace of the server on both clocks")
    func pacedProgress() async throws {
      for pair in try await compare(try scenario(#"{"bandwidth": 12420}"#), Self.observing) {
        for record in [pair.virtual, pair.real] {
          let times = record.events.filter { $0.kind == .fetchProgress }.map(\.time)
          #expect((8...20).contains(times.count), "\(pair.strategy): \(times)")
          #expect(try #require(times.first) < .milliseconds(300), "\(pair.strategy)")
        }
      }
    }

    @Test("A cancel in the middle of a paced body comes after its progress on both clocks")
    func cancelledPace() async throws {
      let cancel = #", {"at": "300ms", "do": "cancel", "image": "A"}"#
      for pair in try await compare(try scenario(#"{"bandwidth": 12420}"#, more: cancel), Self.observing) {
        #expect(pair.virtual.events.contains { $0.kind == .fetchProgress })
      }
    }

    @Test(
      "A redirect that leads nowhere is reported when its page has ended on both clocks",
      arguments: [301, 302, 303, 305, 306, 307, 308],
      [
        "", #", "fault": "truncate", "after": 100"#, #", "fault": "reset", "after": 100"#,
        #", "fault": "malformed-chunk""#,
      ])
    func redirectToNowhere(_ status: Int, _ fault: String) async throws {
      try await compare(try scenario(#"{"status": \#(status), "body": {"bytes": 500}\#(fault)}"#))
    }

    @Test("A redirect that leads nowhere and closes late is reported as late on both clocks")
    func lateRedirectToNowhere() async throws {
      try await compare(try scenario(#"{"status": 302, "body": {"bytes": 500}, "fault": "slow-close"}"#))
    }

    @Test("A picture in chunks of one byte is a short story on both clocks", arguments: ["200x200", "400x400"])
    func tinyChunks(_ size: String) async throws {
      for pair in try await compare(try scenario(#"{"chunks": 1}"#, size: size)) {
        for record in [pair.virtual, pair.real] {
          #expect(record.cut == nil, "\(pair.strategy)")
          #expect(record.final.images["A"] == .loaded, "\(pair.strategy)")
          #expect(record.events.count < 100, "\(pair.strategy): \(record.events.count)")
        }
      }
    }

    @Test(
      "The page of an error ends in the same way on both clocks, however it ends",
      arguments: [
        #""chunks": 100"#, #""fault": "malformed-chunk""#, #""fault": "reset", "after": 3000"#,
        #""fault": "truncate", "after": 3000"#, #""bandwidth": 25000"#, #""bandwidth": 25000, "chunks": 100"#,
        #""chunks": 1"#,
      ], [500, 5000, 70_000])
    func errorPages(_ fault: String, _ bytes: Int) async throws {
      guard bytes < 70_000 || !fault.contains("bandwidth") else { return }
      try await compare(try scenario(#"{"status": 404, "body": {"bytes": \#(bytes)}, \#(fault)}"#))
    }

    @Test("The page of an error that closes late ends in the same way on both clocks")
    func lateErrorPage() async throws {
      try await compare(try scenario(#"{"status": 404, "body": {"bytes": 5000}, "fault": "slow-close"}"#))
    }

    @Test(
      "A redirect leads to the same end on both clocks, whatever its Location looks like",
      arguments: [
        "http://127.0.0.1:80/b.png", "//127.0.0.1:80/b.png", "/%2e%2e/b.png", "/x/%2E./b.png", "../%2e%2e/b.png",
        "http:b.png",
        "http:/b.png", "file:/b.png", "file:b.png", "/%FF", "/b.png?", "/b.png?a=b", "/b.png#c", "?a=b", "#c", "", "/",
        "/x/",
        "b.png/", "/b%2Fb.png", "/%00", "/a b.png", "mailto:a", "http:", "//", "/./b.png", "/%62.png",
      ])
    func locations(_ location: String) async throws {
      let answer = #"{"status": 302, "headers": {"Location": "\#(location)"}}"#
      let pairs = try await compare(try scenario("\(answer), {}"))
      for pair in pairs { #expect(pair.real.cut == nil, "\(pair.strategy)") }
    }

    @Test(
      "A path that is longer than a server takes is refused on both clocks",
      arguments: [8100, 8170, 8180, 8190, 9000, 40_000])
    func longLocation(_ length: Int) async throws {
      let path = "/" + String(repeating: "a", count: length)
      try await compare(try scenario(#"{"status": 302, "headers": {"Location": "\#(path)"}}"#))
    }

    @Test("A chain of redirects is as long as a strategy follows it on both clocks", arguments: [15, 16, 17, 20, 21])
    func chains(_ length: Int) async throws {
      let hop = #"{"status": 302, "headers": {"Location": "a.png"}}, "#
      let root = #"{"status": 302, "headers": {"Location": "/x/a.png"}}, "#
      for hop in [hop, root] {
        try await compare(try scenario(String(repeating: hop, count: length) + "{}"))
      }
    }
  }
}
