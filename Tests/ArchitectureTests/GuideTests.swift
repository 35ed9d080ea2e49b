import Foundation
import TestMachine
import Testing

/// CONTRIBUTING sends readers to files.
@Suite(.computing) struct GuideTests {
  @Test("Each file and folder that CONTRIBUTING names exists")
  func everyNameExists() throws {
    let page = try String(contentsOf: packageRoot.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
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
}
