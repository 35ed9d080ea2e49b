import Foundation
import TestMachine
import Testing

/// A reader compares the strategies by reading their files, so each file shows its call and covers the same six
/// aspects.
@Suite(.computing) struct StrategyFileTests {
  private static let aspects = ["thread", "cancel", "status", "progress", "memory", "connections"]

  private static let files: [(name: String, calls: [String])] = [
    ("BlockingStrategy", ["Data(contentsOf:", "scheduler.schedule {"]),
    ("DataTaskStrategy", [".dataTask(with:", "didReceive response: URLResponse", "didReceive data: Data"]),
    ("DownloadTaskStrategy", [".downloadTask(with:", "didWriteData", "didFinishDownloadingTo"]),
    ("AsyncStrategy", ["withTaskCancellationHandler {", "withCheckedContinuation {", "} onCancel: {"]),
  ]

  private static func lines(_ name: String) throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent("Sources/FetcherModel/Strategies/\(name).swift")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  @Test("A strategy's file has at most 100 lines and shows the calls that define it", arguments: files)
  func calls(name: String, calls: [String]) throws {
    let lines = try Self.lines(name)
    #expect(lines.count <= 100)
    let code = lines.map { SourceRulesTests.code($0) }
    for call in calls { #expect(code.contains { $0.contains(call) }, "\(call)") }
  }

  @Test("A strategy's file describes six aspects, and its code marks each of them", arguments: files)
  func aspects(name: String, calls: [String]) throws {
    let lines = try Self.lines(name)
    let described = lines.compactMap { $0.firstMatch(of: /^\/\/\/ - \*\*(\w+)\*\*: .+\.$/)?.1 }.map(String.init)
    #expect(described == Self.aspects)
    let shown = lines.compactMap { $0.firstMatch(of: /^ +\/\/ (\w+(?:, \w+)*):/)?.1 }
      .flatMap { $0.components(separatedBy: ", ") }
    #expect(Set(shown).isSuperset(of: Self.aspects), "not shown: \(Set(Self.aspects).subtracting(shown))")
  }

  @Test("The async strategy resumes its continuation in one place")
  func resumedOnce() throws {
    let code = try Self.lines("AsyncStrategy").map { SourceRulesTests.code($0) }
    #expect(code.count { $0.contains(".resume(") } == 1)
  }
}
