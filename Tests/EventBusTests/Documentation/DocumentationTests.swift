import Foundation
import TestMachine
import Testing

@Suite("Documentation", .computing) struct DocumentationTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("Every Swift example of the pages and of the comments is in these tests, and no other")
  func examples() throws {
    let shown = try ["Scheduling", "EventBus", "SmallBus", "Laboratory/VirtualTime"].flatMap {
      try ExamplePages.shown(in: Self.root.appendingPathComponent("Sources/\($0)"))
    }
    let compiled = try ExamplePages.compiled(in: Self.folder)
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
    #expect(ExamplePages.blocks(in: page) == ["let a = 1\n\nlet b = 2", "let c = 3"])
    #expect(
      ExamplePages.blocks(inComments: "  /// ```swift\n  /// let a = 1\n  /// ```\n  let b = 2\n") == ["let a = 1"])
  }

  @Test("A snippet loses the indentation that all its lines have") func indentation() {
    let code = "  func f() {\n    // snippet\n    if a {\n      b()\n    }\n\n    c()\n    // end\n  }\n"
    #expect(ExamplePages.snippets(in: code) == ["if a {\n  b()\n}\n\nc()"])
  }
}
