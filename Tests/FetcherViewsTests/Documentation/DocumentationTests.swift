import Foundation
import TestMachine
import Testing

@Suite("Documentation of the views", .computing) struct DocumentationTests {
  @Test("The Swift examples of the pages are those that compile here")
  func examples() throws {
    let shown = try ExamplePages.shown(in: packageRoot.appending(path: "Sources/FetcherViews"))
    let compiled = try ["FetcherViewsTests/Documentation", "TutorialStyle"].flatMap { folder in
      try ExamplePages.compiled(in: packageRoot.appending(path: "Tests/\(folder)"))
    }
    #expect(!shown.isEmpty)
    // The walk quotes the sources themselves.
    let quoted = try ExamplePages.blocks(in: String(contentsOf: FollowOneImageTests.page, encoding: .utf8))
    #expect(Set(shown).subtracting(quoted) == Set(compiled))
  }
}
