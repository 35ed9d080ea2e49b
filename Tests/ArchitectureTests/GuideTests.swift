import Foundation
import TestMachine
import Testing

/// The guide to the modules and the README of the tests refer to files.
@Suite(.computing) struct GuideTests {
  @Test("Every file and folder that the guide to the modules names exists")
  func everyNameExists() throws {
    let page = try String(contentsOf: packageRoot.appending(path: "Documentation/modules.md"), encoding: .utf8)
    let start = try #require(page.firstRange(of: "## Where to begin")?.upperBound)
    let end = try #require(page[start...].firstRange(of: "\n## ")?.lowerBound)
    let named = page[start..<end].matches(of: /`([A-Z][\w\/+]*)`/).map { String($0.1) }
    let paths = ["Sources", "Tests", "scenarios"].flatMap { folder in
      let inside = FileManager.default.enumerator(atPath: packageRoot.appending(path: folder).path)
      return inside?.compactMap { "/\(folder)/\($0)" } ?? []
    }
    let known = Set(paths.map { $0.replacing(/\.(swift|md)$/, with: "") })
    let missing = named.filter { name in !known.contains { $0.hasSuffix("/\(name)") } }
    #expect(named.count > 50)
    #expect(missing == [])
  }

  @Test("The README of the tests has a line for each test target")
  func everyTargetHasItsLine() throws {
    let manifest = try String(contentsOf: packageRoot.appending(path: "Package.swift"), encoding: .utf8)
    let targets = manifest.matches(of: /(?:[tT]ests\(|\.testTarget\(name: )\s*"(\w+)"/).map { String($0.1) }
    let lines = try Self.testsReadme().matches(of: /\n\| `(\w+)` \| [A-Z][^|\n]+\. \|(?=\n)/)
    #expect(targets.count > 15)
    #expect(lines.map { String($0.1) }.sorted() == targets.sorted())
  }

  @Test("The README of the tests links to five suites that exist")
  func everySuiteExists() throws {
    let readme = try Self.testsReadme()
    let suites = readme.matches(of: /\n\| `(\w+)` \| \[[^\]]+\]\(([^)]+)\) \|/)
    #expect(suites.count == 5)
    for suite in suites {
      let source = try String(contentsOf: packageRoot.appending(path: "Tests/\(suite.2)"), encoding: .utf8)
      #expect(source.contains("struct \(suite.1) {"))
    }
    for link in readme.matches(of: /\]\(([^)#]+)(?:#\w+)?\)/).map({ String($0.1) }) {
      #expect(FileManager.default.fileExists(atPath: packageRoot.appending(path: "Tests/\(link)").path), "\(link)")
    }
  }

  @Test("The newest release in the changelog matches the version of `fetcher`")
  func version() throws {
    let changes = try String(contentsOf: packageRoot.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let source = try String(
      contentsOf: packageRoot.appending(path: "Sources/CommandLineTool/Commands/Command.swift"), encoding: .utf8)
    let release = try #require(changes.firstMatch(of: /\n## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)\n/))
    let version = try #require(source.firstMatch(of: /static let executableVersion = "([^"]+)"/))
    #expect(release.1 == version.1)
  }

  private static func testsReadme() throws -> String {
    try String(contentsOf: packageRoot.appending(path: "Tests/README.md"), encoding: .utf8)
  }
}
