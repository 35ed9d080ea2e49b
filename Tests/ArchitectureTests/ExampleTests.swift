import Foundation
import TestMachine
import Testing

/// The Swift examples on the pages and in the comments of all modules are code that compiles.
@Suite(.computing) struct ExampleTests {
  /// The examples of the documentation. Two tests read them.
  private static let shown = Result { Set(try ExamplePages.shown(in: "Sources")) }
  /// The snippets of the tests. Two tests read them.
  private static let compiled = Result { Set(try ExamplePages.compiled(in: "Tests")) }

  @Test("Each Swift example in the documentation is compiled by a test or appears in the sources")
  func examples() throws {
    let (examples, snippets) = (try Self.shown.get(), try Self.compiled.get())
    #expect(examples.count > 120)
    let code = try ExamplePages.texts(in: "Sources", "swift").map(Self.trimmedLines)
    for example in examples.subtracting(snippets) {
      let lines = Self.trimmedLines(example)
      let isQuoted = code.contains { file in file.indices.contains { file[$0...].starts(with: lines) } }
      #expect(isQuoted, "No test compiles this example, and no source contains it:\n\(example)")
    }
  }

  @Test("Each snippet in a test appears in the documentation")
  func snippets() throws {
    for snippet in try Self.compiled.get().subtracting(Self.shown.get()) {
      Issue.record("The documentation does not show this snippet of a test:\n\(snippet)")
    }
  }

  private static func trimmedLines(_ text: String) -> [String] {
    text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test("A code block ends at its fence, and only Swift blocks count") func fences() {
    let page = "a\n```swift\nlet a = 1\n\nlet b = 2\n```\n```sh\nls\n```\n```swift\nlet c = 3\n```\n"
    #expect(ExamplePages.blocks(in: page) == ["let a = 1\n\nlet b = 2", "let c = 3"])
    #expect(
      ExamplePages.blocks(inComments: "  /// ```swift\n  /// let a = 1\n  /// ```\n  let b = 2\n") == ["let a = 1"])
  }

  @Test("A snippet loses the indentation that all its lines share") func indentation() {
    let start = "// snippet"
    let code = "  func f() {\n    \(start)\n    if a {\n      b()\n    }\n\n    c()\n    // end\n  }\n"
    #expect(ExamplePages.snippets(in: code) == ["if a {\n  b()\n}\n\nc()"])
  }
}
