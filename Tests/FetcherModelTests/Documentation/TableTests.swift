import FetcherModel
import Foundation
import ModelFixtures
import SocketStrategy
import TestMachine
import Testing

/// The tables in the documentation match the declarations in the code.
@Suite("The model's documentation", .computing) struct TableTests {
  private func page(_ name: String) throws -> String {
    let folder = packageRoot.appending(path: "Sources/FetcherModel/FetcherModel.docc")
    return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// Returns the lines of the table with this header line.
  private func table(_ head: String, in page: String) -> [String] {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let start = lines.firstIndex(of: head) else { return [] }
    return Array(lines[start...].prefix { $0.hasPrefix("|") })
  }

  @Test("The documented fault table equals the table that the tests use")
  func faultTable() throws {
    let strategies = Workbench.strategies
    let head = "| fault | \(strategies.map { "`\($0)`" }.joined(separator: " | ")) | remark |"
    let expected =
      [head, "| --- |" + String(repeating: " --- |", count: strategies.count + 1)]
      + FaultTable.all.map { $0.row(strategies) }
    let found = table(head, in: try page("Faults.md"))
    #expect(found == expected, "the table must read:\n\(expected.joined(separator: "\n"))")
  }

  @Test("The documented table of capabilities matches what the strategies declare")
  func capabilities() throws {
    let head = "| strategy | cancels | sees status | progress | sees redirects | header fields | how |"
    let word = { (flag: Bool) in flag ? "yes" : "no" }
    let environment = FetchEnvironment()
    environment.register(.socket)
    let rows = environment.strategies.map { strategy in
      let can = strategy.capabilities
      let words = [can.canCancel, can.seesStatus, can.reportsProgress, can.seesRedirects, can.sendsHeaders].map(word)
      return "| `\(strategy.name)` | \(words.joined(separator: " | ")) | \(can.note) |"
    }
    let expected = [head, "| --- | --- | --- | --- | --- | --- | --- |"] + rows
    let found = table(head, in: try page("Strategies.md"))
    #expect(found == expected, "the table must read:\n\(expected.joined(separator: "\n"))")
  }

  @Test("The module's page lists every public type under a topic")
  func topics() throws {
    let topics = try #require(try page("FetcherModel.md").components(separatedBy: "## Topics").last)
    let sources = packageRoot.appending(path: "Sources/FetcherModel")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var types = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      let code = try String(contentsOf: file, encoding: .utf8)
      for match in code.matches(of: /(?m)^public (?:final )?(?:class|struct|enum|protocol|actor) (\w+)/) {
        types += 1
        #expect(topics.contains("``\(match.1)``"), "\(match.1) of \(file.lastPathComponent) has no topic")
      }
    }
    // The limit keeps out of the interface what neither an app nor the author of a strategy needs.
    #expect((20...30).contains(types))
  }
}
