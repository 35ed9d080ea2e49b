import Foundation
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

extension RunsOverSockets {
  /// Minimal scenarios in which the clocks once differed. The cases of a test are images of one scenario, which are
  /// fetched concurrently: image 3 is case 3.
  @Suite struct ClockDifferenceTests {
    private static let observing = ["dataTask", "downloadTask", "async", "socket"]

    /// Returns a scenario with one view and one image for each case.
    ///
    /// - Parameters:
    ///   - cases: the responses for each image, as in a file.
    ///   - size: the size of the images.
    ///   - more: further steps.
    private func scenario(_ cases: [String], size: String = "24x24", more: String = "") throws -> Scenario {
      let images = cases.indices.map { number in
        #"{"id": "\#(number)", "path": "/x/\#(number).png", "size": "\#(size)"}"#
      }
      let routes = zip(cases.indices, cases).map { #"{"path": "/x/\#($0).png", "responses": [\#($1)]}"# }
      let steps = cases.indices.flatMap { number in
        ["\"appear\"", "\"select\", \"image\": \"\(number)\""].map {
          #"{"at": "0ms", "do": \#($0), "view": "v\#(number)"}"#
        }
      }
      let file = SampleScenario.file(
        #"""
        {"scenario": 1, "name": "x", "pool": {"model": "darwin", "limit": 64},
         "images": [\#(images.joined(separator: ", ")), {"id": "B", "path": "/b.png"}, {"id": "C", "path": "/x/b.png"}],
         "origin": {"routes": [\#(routes.joined(separator: ", "))]},
         "steps": [\#(steps.joined(separator: ", "))\#(more)]}
        """#, vocabulary: .shipped)
      return try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    }

    /// Runs these strategies concurrently, and reports each difference between the clocks. By default, the strategies that are
    /// alike take turns among the tests.
    ///
    /// - Parameter holds: a further condition that ends the repetitions on the real clock.
    @discardableResult private func compare(
      _ scenario: Scenario, _ strategies: [String] = Vocabulary.shipped.strategies,
      until holds: @escaping @Sendable (RunRecord) -> Bool = { _ in true }, test: String = #function
    ) async throws -> [ClockPair] {
      let strategies = LongTests.areEnabled ? strategies : RunsOverSockets.taking(turns: test, strategies)
      let pairs = try await withThrowingTaskGroup(of: ClockPair.self) { group in
        for strategy in strategies {
          group.addTask {
            var pair = ClockPair(scenario, strategy)
            try await pair.abandon(atMost: 20, until: holds)
            return pair
          }
        }
        return try await group.reduce(into: [ClockPair]()) { $0.append($1) }
      }
      for pair in pairs { #expect(pair.difference == nil, "\(pair.strategy)") }
      return pairs
    }

    @Test("A stall of the machine excuses a late event, but not an early one")
    func stalls() throws {
      let paced = try scenario([#"{"latency": "1s"}"#])
      let virtual = paced.runVirtually("async")
      func difference(by shift: Duration, stall: Duration) -> String? {
        var real = virtual
        for index in real.events.indices { real.events[index].time += shift }
        return RunStory(paced, virtual).firstDifference(from: RunStory(paced, real), stall: stall)
      }
      #expect(difference(by: .milliseconds(699), stall: .zero) == nil)
      #expect(difference(by: .milliseconds(846), stall: .zero) != nil)
      #expect(difference(by: .milliseconds(846), stall: .milliseconds(200)) == nil)
      #expect(difference(by: .milliseconds(-846), stall: .milliseconds(200)) != nil)
    }

    @Test("The progress of a paced body follows the server's rate on both clocks")
    func pacedProgress() async throws {
      // A busy machine may start late and merge a few parts, but it cannot spread out parts that arrived at once.
      let isPaced = { @Sendable (record: RunRecord) in
        let times = record.events.filter { $0.kind == .fetchProgress }.map(\.time)
        return (8...20).contains(times.count) && times[times.count - 1] - times[0] > .milliseconds(500)
      }
      let paced = try scenario([#"{"bandwidth": 1860}"#])
      for pair in try await compare(paced, Self.observing, until: isPaced) {
        #expect(isPaced(pair.virtual), "\(pair.strategy)")
        #expect(isPaced(pair.real), "\(pair.strategy)")
      }
    }

    @Test("On both clocks, a cancel in the middle of a paced body follows some progress")
    func cancelledPace() async throws {
      let cancel = #", {"at": "300ms", "do": "cancel", "image": "0"}"#
      for pair in try await compare(try scenario([#"{"bandwidth": 1860}"#], more: cancel), Self.observing) {
        #expect(pair.virtual.events.contains { $0.kind == .fetchProgress })
      }
    }

    @Test("Both clocks report a redirect without a target when its page ends")
    func redirectsToNowhere() async throws {
      let faults = [
        "", #", "fault": "truncate", "after": 100"#, #", "fault": "reset", "after": 100"#,
        #", "fault": "malformed-chunk""#,
      ]
      let cases = [301, 302, 303, 305, 306, 307, 308].flatMap { status in
        faults.map { #"{"status": \#(status), "body": {"bytes": 500}\#($0)}"# }
      }
      try await compare(try scenario(cases + [#"{"status": 302, "body": {"bytes": 500}, "fault": "slow-close"}"#]))
    }

    @Test("A picture in one-byte chunks causes fewer than 50 events on both clocks")
    func tinyChunks() async throws {
      for pair in try await compare(try scenario([#"{"chunks": 1}"#], size: "200x200")) {
        for record in [pair.virtual, pair.real] {
          #expect(record.termination == nil, "\(pair.strategy)")
          #expect(record.final.images["0"] == .loaded, "\(pair.strategy)")
          #expect(record.events.count < 50, "\(pair.strategy): \(record.events.count)")
        }
      }
    }

    @Test("A fetch of an error page ends the same way on both clocks, with every fault and rate")
    func errorPages() async throws {
      let ways = [
        #""chunks": 100"#, #""fault": "malformed-chunk""#, #""fault": "reset", "after": 3000"#,
        #""fault": "truncate", "after": 3000"#, #""chunks": 1"#, #""bandwidth": 25000"#,
        #""bandwidth": 25000, "chunks": 100"#, #""fault": "slow-close""#,
      ]
      let cases = [500, 5000, 70_000].flatMap { bytes in
        // A long page at this pace would take seconds.
        ways.prefix(bytes < 70_000 ? ways.count : 5).map { #"{"status": 404, "body": {"bytes": \#(bytes)}, \#($0)}"# }
      }
      try await compare(try scenario(cases))
    }

    @Test("Each form of the Location header produces the same run on both clocks")
    func locations() async throws {
      let locations = [
        "http://127.0.0.1:80/b.png", "//127.0.0.1:80/b.png", "/%2e%2e/b.png", "/x/%2E./b.png", "../%2e%2e/b.png",
        "http:b.png",
        "http:/b.png", "file:/b.png", "file:b.png", "/%FF", "/b.png?", "/b.png?a=b", "/b.png#c", "?a=b", "#c", "", "/",
        "/x/",
        "b.png/", "/b%2Fb.png", "/%00", "/a b.png", "mailto:a", "http:", "//", "/./b.png", "/%62.png", "/a//..//b.png",
      ]
      let cases = locations.map { #"{"status": 302, "headers": {"Location": "\#($0)"}}, {}"# }
      for pair in try await compare(try scenario(cases)) { #expect(pair.real.termination == nil, "\(pair.strategy)") }
    }

    @Test(
      "Allowed and refused redirects end the same way on both clocks",
      // A slow close keeps its connection for a second, and a host has only six connections.
      arguments: [["truncate", "reset", "malformed-chunk"], ["slow-close"]])
    func pagesOfRedirects(_ faults: [String]) async throws {
      let cases = ["http:b.png", "file:/b.png", "/b.png"].flatMap { location in
        [0, 500].flatMap { bytes in
          faults.map { fault in
            let place = fault == "truncate" || fault == "reset" ? #", "after": \#(bytes / 5)"# : ""
            return #"""
              {"status": 305, "headers": {"Location": "\#(location)"}, "body": {"bytes": \#(bytes)},
               "fault": "\#(fault)"\#(place)}
              """#
          }
        }
      }
      try await compare(try scenario(cases))
    }

    @Test("Both clocks reject a redirect to a path that is longer than the server accepts")
    func longLocations() async throws {
      let cases = [8100, 8175, 8180, 9000].map { length in
        #"{"status": 302, "headers": {"Location": "/\#(String(repeating: "a", count: length))"}}"#
      }
      try await compare(try scenario(cases))
    }

    @Test("Both clocks follow a chain of redirects to the same length")
    func chains() async throws {
      let cases = [15, 16, 17, 20, 21].enumerated().map { number, length in
        String(repeating: #"{"status": 302, "headers": {"Location": "/x/\#(number).png"}}, "#, count: length) + "{}"
      }
      try await compare(try scenario(cases))
    }
  }
}
