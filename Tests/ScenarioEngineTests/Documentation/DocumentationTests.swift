import Foundation
import TestMachine
import Testing

@Suite("Documentation of the engine", .computing) struct DocumentationTests {
  @Test("Every Swift example of the page is in these tests, and no other")
  func examples() throws {
    let shown = try ExamplePages.shown(in: packageRoot.appending(path: "Sources/Laboratory/ScenarioEngine"))
    let compiled = try ExamplePages.compiled(in: URL(filePath: #filePath).deletingLastPathComponent())
    #expect(!shown.isEmpty)
    #expect(Set(shown) == Set(compiled))
  }
}
