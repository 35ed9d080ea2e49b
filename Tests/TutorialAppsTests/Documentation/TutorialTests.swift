import Foundation
import TestMachine
import Testing
import TutorialApps
import TutorialStyle

/// Tests of whether the page “From the tutorials” is complete and that its statements about the tutorials are correct.
@Suite(.computing) struct TutorialTests {
  /// A row of a table of names.
  private struct Row {
    /// The names with their tutorial, such as `SlideShow: Slide`.
    let names: [String]
    let target: String
    let files: [String]
  }

  private static let page = packageRoot.appending(
    path: "Sources/TutorialApps/TutorialApps.docc/ComingFromTheTutorials.md")

  private static func codeSpans(_ text: some StringProtocol) -> [String] {
    String(text).matches(of: /`([^`]+)`/).map { String($0.1) }
  }

  private static func cells(_ line: String) -> [String] {
    line.components(separatedBy: "|").dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Returns the rows of the tables whose last column is `file`. A column contains names if its title is `name in` with the
  /// name of a tutorial.
  private static func rows() throws -> [Row] {
    var rows: [Row] = []
    var heads: [String] = []
    for line in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n") {
      let cells = cells(line)
      if cells.last == "file" {
        heads = Array(cells.dropLast(2))
      } else if cells.isEmpty {
        heads = []
      } else if !heads.isEmpty, !line.hasPrefix("| ---") {
        try #require(cells.count == heads.count + 2, "\(line)")
        let names = zip(heads, cells).flatMap { head, cell in
          head.hasPrefix("name in ") ? codeSpans(cell).map { "\(head.dropFirst(8)): \($0)" } : []
        }
        rows.append(Row(names: names, target: cells[heads.count], files: codeSpans(cells[heads.count + 1])))
      }
    }
    return rows
  }

  /// Returns the types, members, and cases that a source file declares.
  private static func declarations(in file: String) throws -> Set<String> {
    let code = try String(contentsOf: packageRoot.appending(path: "Sources/\(file)"), encoding: .utf8)
    // A declaration is the first word of its line, apart from its modifiers, whereas a pattern such as `let value` is not.
    let declaration =
      /(?m)^ *(?:(?:@\w+|public|package|private(?:\(set\))?|static|final|lazy|weak|mutating|nonisolated|indirect|convenience) )*(?:(?:class|struct|enum|protocol|func|var|let|case|typealias) (\w+(?:, \w+)*)|(init)\b)/
    return Set(code.matches(of: declaration).flatMap { ($0.1 ?? $0.2 ?? "").components(separatedBy: ", ") })
  }

  @Test("The page has exactly one row for each name from the tutorials, and no other rows") func complete() throws {
    let file = packageRoot.appending(path: "Tests/TutorialStyle/tutorial-identifiers.txt")
    let listed = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    let shown = try Self.rows().flatMap(\.names)
    #expect(Set(listed.map(String.init)).subtracting(shown) == [])
    #expect(Set(shown).subtracting(listed.map(String.init)) == [])
    #expect(shown.count == Set(shown).count)
    #expect(listed.count > 150)
  }

  @Test("Each row names an existing declaration or the reason for leaving the name out") func targets() throws {
    let rows = try Self.rows()
    let declarations = try Dictionary(
      uniqueKeysWithValues: Set(rows.flatMap(\.files)).map { ($0, try Self.declarations(in: $0)) })
    for row in rows {
      if row.target.hasPrefix("left out: ") {
        #expect(row.target.count > 20 && row.files == [], "\(row)")
        continue
      }
      // The text after a semicolon is an explanation.
      let symbols = Self.codeSpans(row.target.prefix { $0 != ";" }).flatMap { $0.components(separatedBy: ".") }
      let declared = row.files.compactMap { declarations[$0] }
      #expect(!symbols.isEmpty && Set(symbols).subtracting(declared.joined()) == [], "\(row)")
      #expect(declared.allSatisfy { !$0.isDisjoint(with: symbols) }, "\(row)")
    }
  }

  @Test("In the tutorial's code, a handler finds the bytes while isFetching is still true") func flag() {
    let found = StyleRuns.inTheHandler()
    #expect(found?.hasBytes == true)
    #expect(found?.isFetching == true)
  }

  @Test("The tutorial's slide requires a title and a favorite flag, but no id") func slide() {
    #expect(StyleRuns.missingKey(ofSlide: #"{"id": 10, "file": "a.jpeg"}"#) == "title")
    #expect(StyleRuns.missingKey(ofSlide: #"{"id": 10, "file": "a.jpeg", "title": "A"}"#) == "isFavorite")
    #expect(StyleRuns.missingKey(ofSlide: #"{"id": 10, "file": "a.jpeg", "title": "A", "isFavorite": false}"#) == nil)
  }

  @Test("In the tutorial's code, a lost network is reported as a bad status") func status() {
    #expect(StyleRuns.errorWithoutAnAnswer() == "invalidResponseStatus")
  }
}
