import Foundation
import Testing

/// The rules of the architecture that no compiler checks, read from the sources.
@Suite struct SourceRulesTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func sources(_ folder: String) -> [URL] {
    let folder = root.appendingPathComponent("Sources/\(folder)")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    return (files ?? []).filter { $0.pathExtension == "swift" }
  }

  /// The code without its comments.
  static func code(_ text: String) -> String {
    text.replacing(/\/\*(?s:.)*?\*\//, with: "").replacing(/(?m)\/\/.*$/, with: "")
  }

  @Test(arguments: ["FetcherModel", "FetcherApp/Views"])
  func onlyTheFoundationLoaderTouchesDispatchTasksThreadsOrTheClock(folder: String) throws {
    let forbidden = /\bDispatchQueue\b|\bTask\s*[({]|\bTask\.detached\b|\bThread\b|\bDate\(\)|\bsleep\s*\(/
    let files = Self.sources(folder)
    if folder == "FetcherModel" { #expect(files.count > 20) }
    for file in files where file.lastPathComponent != "FoundationLoader.swift" {
      let code = Self.code(try String(contentsOf: file, encoding: .utf8))
      for match in code.matches(of: forbidden) {
        Issue.record("\(file.lastPathComponent) contains “\(match.output)”")
      }
    }
  }

  @Test func commentsAreNotCode() {
    #expect(!Self.code("// Task { }\n/* Thread\n */ let a = 1 /// Date()").contains("T"))
    #expect(Self.code("Task { }").contains("Task {"))
  }
}
