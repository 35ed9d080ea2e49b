import Foundation
import TestMachine
import Testing

@Suite(.computing) struct PoolTests {
  /// The traits and enumerations whose suites run outside the pool. Suites in the enumerations run one test at a time.
  private static let homes = [".childProcesses", ".computing", "extension NetworkSuite", "extension OwnProcesses"]

  @Test("No exit test blocks a thread of the cooperative pool")
  func exitTests() throws {
    let tests = packageRoot.appending(path: "Tests")
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    // The files in this folder are compiled, but not run.
    let run = (files ?? []).filter { $0.pathExtension == "swift" && !$0.path.contains("/Tests/Compiler/") }
    let sources =
      try run
      .map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
      .filter { $0.1.contains("#expect(processExits" + "With") || $0.1.contains("#require(processExits" + "With") }
    #expect(sources.count > 20)
    #expect(sources.filter { source in !Self.homes.contains { source.1.contains($0) } }.map(\.0) == [])
  }
}
