import Foundation
import Testing

/// The examples of the documentation are code that the tests of this folder compile and run, between a line
/// `// snippet` and a line `// end`.
@Suite("Documentation") struct DocumentationTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("Every Swift example of the pages and of the comments is in these tests, and no other")
  func examples() throws {
    let sources = ["Sources/EventBus", "Sources/EventBusTesting"].map { Self.root.appendingPathComponent($0) }
    let shown =
      try sources.flatMap { try Self.texts(in: $0, "md") }.flatMap { Self.blocks(in: $0) }
      + sources.flatMap { try Self.texts(in: $0, "swift") }.flatMap { Self.blocks(inComments: $0) }
    let compiled = try Self.texts(in: Self.folder, "swift").flatMap { Self.snippets(in: $0) }
    #expect(shown.count >= 20)
    for example in Set(shown).subtracting(compiled) {
      Issue.record("This example is in the documentation, but no test compiles it:\n\(example)")
    }
    for snippet in Set(compiled).subtracting(shown) {
      Issue.record("This snippet is in a test, but nothing shows it:\n\(snippet)")
    }
  }

  @Test("A block ends where its fence ends, and only Swift counts") func fences() {
    let page = "a\n```swift\nlet a = 1\n\nlet b = 2\n```\n```sh\nls\n```\n```swift\nlet c = 3\n```\n"
    #expect(Self.blocks(in: page) == ["let a = 1\n\nlet b = 2", "let c = 3"])
    #expect(Self.blocks(inComments: "  /// ```swift\n  /// let a = 1\n  /// ```\n  let b = 2\n") == ["let a = 1"])
  }

  @Test("A snippet loses the indentation that all its lines have") func indentation() {
    let code = "  func f() {\n    // snippet\n    if a {\n      b()\n    }\n\n    c()\n    // end\n  }\n"
    #expect(Self.snippets(in: code) == ["if a {\n  b()\n}\n\nc()"])
  }

  private static func texts(in folder: URL, _ kind: String) throws -> [String] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    return try (files ?? []).filter { $0.pathExtension == kind && $0.lastPathComponent != "DocumentationTests.swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }

  private static func blocks(in page: String) -> [String] {
    sections(of: page.components(separatedBy: "\n"), from: "```swift", to: "```")
  }

  private static func blocks(inComments code: String) -> [String] {
    let lines = code.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    return sections(
      of: lines.filter { $0.hasPrefix("///") }.map { $0.replacing(/^\/\/\/ ?/, with: "") }, from: "```swift", to: "```")
  }

  private static func snippets(in code: String) -> [String] {
    sections(of: code.components(separatedBy: "\n"), from: "// snippet", to: "// end")
  }

  private static func sections(of lines: [String], from start: String, to end: String) -> [String] {
    var found: [String] = []
    var section: [String]?
    for line in lines {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if let complete = section, trimmed == end {
        found.append(unindented(complete))
        section = nil
      } else if section != nil {
        section?.append(line)
      } else if trimmed == start {
        section = []
      }
    }
    return found
  }

  private static func unindented(_ lines: [String]) -> String {
    let depth = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(depth)) }.joined(separator: "\n")
  }
}
