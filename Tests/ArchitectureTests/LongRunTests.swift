import Foundation
import TestMachine
import Testing

/// What `FETCHER_LONG=1` enables is run by `.ci/run --long`.
@Suite(.computing) struct LongRunTests {
  @Test("Each suite that does more in a long run is one of those that .ci/run runs so")
  func everySuiteIsRun() throws {
    let script = try String(contentsOf: packageRoot.appending(path: ".ci/run"), encoding: .utf8)
    let lists = script.matches(of: /long_suites\+?='([^']*)'/).flatMap { $0.1.split(separator: "|") }
    let run = Set(lists.map(String.init))
    #expect(try Self.longSuites() == run)
  }

  /// The files of tests that ask whether the run is a long one, which are named after their suites.
  private static func longSuites() throws -> Set<String> {
    let tests = packageRoot.appending(path: "Tests")
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    let asking = try (files ?? []).filter { file in
      guard file.pathExtension == "swift", !file.path.contains("/TestMachine/") else { return false }
      let text = try String(contentsOf: file, encoding: .utf8)
      return text.contains("LongTests.") || text.contains(".long") && text.contains(/[ (]\.long\b/)
    }
    return Set(asking.map { $0.deletingPathExtension().lastPathComponent }).subtracting(["LongRunTests"])
  }
}
