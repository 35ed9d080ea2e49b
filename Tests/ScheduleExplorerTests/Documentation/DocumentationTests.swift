import Foundation
import ScheduleExplorer
import TestMachine
import Testing

/// A page of the module.
struct Page {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  static let sources = folder.appendingPathComponent("../../../Sources/Laboratory/ScheduleExplorer").standardizedFileURL

  private let text: String

  init(_ name: String) throws {
    text = try String(
      contentsOf: Self.sources.appendingPathComponent("ScheduleExplorer.docc/\(name).md"), encoding: .utf8)
  }

  func contains(_ text: String) -> Bool { self.text.contains(text) }

  /// Whether the page has the steps of the failure, and the pair whose order decides.
  func shows(_ failure: ExplorationFailure) -> Bool {
    let steps = failure.scheduleTable.split(separator: "\n").prefix { !$0.hasPrefix("✗") }.joined(separator: "\n")
    return text.contains(steps) && text.contains(failure.flippedPair ?? "no pair")
  }
}

@Suite("Documentation of the explorer", .computing) struct DocumentationTests {
  @Test("Every Swift example of the pages and of the comments is in these tests, and no other")
  func examples() throws {
    let shown = try ExamplePages.shown(in: Page.sources)
    let compiled = try ExamplePages.compiled(in: Page.folder)
    #expect(shown.count >= 8)
    for example in Set(shown).subtracting(compiled) {
      Issue.record("This example is in the documentation, but no test compiles it:\n\(example)")
    }
    for snippet in Set(compiled).subtracting(shown) {
      Issue.record("This snippet is in a test, but nothing shows it:\n\(snippet)")
    }
  }
}
