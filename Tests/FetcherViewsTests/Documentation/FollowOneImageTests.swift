import Foundation
import OriginServer
import ScenarioEngine
import ScenarioFormat
import TestMachine
import Testing

/// Comparisons of the page that leads a reader through one run with the files that it names and with a real run.
@Suite(.computing) struct FollowOneImageTests {
  private struct Stop {
    let title: String
    let file: String
    let code: [String]
    let row: String

    init(_ section: Substring) throws {
      let parts = try #require(
        section.wholeMatch(of: /(\d+\. .+)\n\n`(.+)`\n\n```swift\n((?s:.+?))\n```(?s:.+?)\n\nRow: `(.+)`\n(?s:.*)/))
      (title, file, row) = (String(parts.1), String(parts.2), String(parts.4))
      code = Self.trimmed(String(parts.3))
    }

    static func trimmed(_ text: String) -> [String] {
      text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  static let page = packageRoot.appending(path: "Sources/FetcherViews/FetcherViews.docc/FollowOneImage.md")

  private static func stops() throws -> [Stop] {
    try String(contentsOf: page, encoding: .utf8).split(separator: "\n### ").dropFirst().map(Stop.init)
  }

  @Test("The page “Follow one image” has at most sixteen stops, numbered in order")
  func count() throws {
    let numbers = try Self.stops().map { $0.title.prefix { $0 != "." } }
    #expect(numbers == (1...numbers.count).map { "\($0)" })
    #expect((2...16).contains(numbers.count))
  }

  @Test("The code of each stop occurs in the file that the stop names")
  func code() throws {
    for stop in try Self.stops() {
      let file = Stop.trimmed(try String(contentsOf: packageRoot.appending(path: stop.file), encoding: .utf8))
      #expect(stop.code.count <= 5)
      #expect(file.indices.contains { file[$0...].starts(with: stop.code) }, "\(stop.title) of \(stop.file)")
    }
  }

  @Test("The timeline of a real run contains the row of each stop")
  func rows() async throws {
    let path = packageRoot.appending(path: "scenarios/late-response.json")
    let file = try ScenarioFile(path: path.path)
    let scenario = try #require(file.scenario)
    let record = await ScenarioRunner(
      scenario: scenario, folder: path.deletingLastPathComponent(), origin: try OriginServer(content: OriginContent()),
      showsBus: true
    ).run("dataTask")
    let outcome = ScenarioOutcome(of: scenario, file.source, strategy: "dataTask", clock: .real, record)
    let timeline = Timeline(record, outcome).lines().map(Self.withoutTime)
    for stop in try Self.stops() { #expect(timeline.contains(stop.row), "\(stop.title): \(stop.row)") }
  }

  // On a busy machine, the real responses may arrive in another order.
  @Test("On the virtual clock, the rows of the stops after the response are in order")
  func order() throws {
    let scenario = try VirtualScenario(contentsOf: packageRoot.appending(path: "scenarios/late-response.json"))
    let timeline = try scenario.run("dataTask").timeline.map(Self.withoutTime)
    var last = 0
    // The simulated server ends a response only after its last chunk has arrived.
    for stop in try Self.stops().dropFirst(7) where !stop.row.hasPrefix("request.") {
      let index = try #require(timeline.firstIndex(of: stop.row), "\(stop.title): \(stop.row)")
      #expect(index >= last, "\(stop.title)")
      last = index
    }
  }

  /// Returns a row without its number and its time. The time is the first number with a fraction.
  private static func withoutTime(_ row: String) -> String {
    row.replacing(#/^ *(\d+ +)?\d+\.\d /#, with: "").split(separator: " ").joined(separator: " ")
  }

  @Test("Every file that the page names exists")
  func files() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let named = text.matches(of: /`((?:Sources|scenarios)\/[^` ]+)`/).map { String($0.1) }
    #expect(named.count >= 12)
    for path in named {
      #expect(FileManager.default.fileExists(atPath: packageRoot.appending(path: path).path), "\(path)")
    }
  }
}
