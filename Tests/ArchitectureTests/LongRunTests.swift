import Foundation
import TestMachine
import Testing

/// `.ci/run --long` runs the tests that `FETCHER_LONG=1` enables.
@Suite(.computing) struct LongRunTests {
  @Test("The script .ci/run lists each suite that does more work in a long run")
  func everySuiteIsRun() throws {
    let script = try String(contentsOf: packageRoot.appending(path: ".ci/run"), encoding: .utf8)
    let lists = script.matches(of: /long_suites\+?='([^']*)'/).flatMap { $0.1.split(separator: "|") }
    let run = Set(lists.map(String.init))
    #expect(try Self.longSuites() == run)
  }

  /// Returns the suites that check for a long run, which are named like their files. A file in a folder `Support` stands for its
  /// target.
  private static func longSuites() throws -> Set<String> {
    let tests = packageRoot.appending(path: "Tests")
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    let asking = try (files ?? []).filter { file in
      guard file.pathExtension == "swift", !file.path.contains("/TestMachine/") else { return false }
      let text = try String(contentsOf: file, encoding: .utf8)
      return text.contains("LongTests.") || text.contains(".long") && text.contains(/[ (]\.long\b/)
    }
    let names = asking.map { file in
      let folder = file.deletingLastPathComponent()
      return folder.lastPathComponent == "Support" ? folder.deletingLastPathComponent() : file.deletingPathExtension()
    }
    return Set(names.map(\.lastPathComponent)).subtracting(["LongRunTests"])
  }
}
