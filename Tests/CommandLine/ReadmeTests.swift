import Foundation
import Testing

extension BuiltProgram {
  /// The parts of README.md that `Scripts/run-examples.py` cannot compare.
  @Suite struct ReadmeTests {
    private static func page() throws -> String {
      try String(contentsOf: Program.packageRoot.appending(path: "README.md"), encoding: .utf8)
    }

    @Test("The walk in the README consists of rows from the demo, in the same order")
    func walk() async throws {
      // The walk runs on the real clock, so its times and the width of their column vary.
      let row = { (line: Substring) in line.replacing(#/^ *\d+ +/#, with: "").replacing(#/ +/#, with: " ") }
      let shown = try #require(try Self.page().firstMatch(of: /<!-- demo -->\n```text\n((?s:.)*?)```/)).1
      let outcome = try await Program().run("demo")
      var rows = outcome.output.split(separator: "\n").map(row)[...]
      for line in shown.split(separator: "\n").map(row) {
        let index = rows.firstIndex(of: line)
        #expect(index != nil, "\(line)")
        rows = rows[(index ?? rows.startIndex)...]
      }
    }

    @Test("The search in the README consists of lines from the report, in the same order")
    func search() async throws {
      let shown = try #require(try Self.page().firstMatch(of: /--bound 1\n```\n\n```text\n((?s:.)*?)```/)).1
      let outcome = try await Program(workingDirectory: Program.packageRoot).run(
        "explore", "scenarios/trusts-the-order.json", "--strategy", "dataTask", "--bound", "1")
      var lines = outcome.output.split(separator: "\n").map { $0.drop { $0 == " " } }[...]
      for line in shown.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
        let index = lines.firstIndex(of: line)
        #expect(index != nil, "\(line)")
        lines = lines[(index ?? lines.startIndex)...]
      }
    }

    @Test("The view model and the failing order in the README match those in the tutorial")
    func viewModel() throws {
      let tutorial = try String(
        contentsOf: Program.packageRoot.appending(
          path: "Sources/Laboratory/ScheduleExplorer/ScheduleExplorer.docc/FindTheRaceInYourViewModel.md"),
        encoding: .utf8)
      let page = try Self.page()
      let blocks = page.matches(of: /```swift\n(?:(?s:.)*?)```/).map { String($0.0) }.filter {
        $0.contains("ForecastModel")
      }
      #expect(blocks.count == 2)
      for block in blocks { #expect(tutorial.contains(block), "\(block)") }
      let order = try #require(page.firstMatch(of: /Fails if “load [^`]*/)).0
      #expect(tutorial.contains(order))
    }

    @Test("All links on the pages resolve on a git host and in DocC")
    func pageLinks() async throws {
      let python = Program(executable: URL(filePath: "/usr/bin/env"), workingDirectory: Program.packageRoot)
      let outcome = try await python.run("python3", "Scripts/page-links.py", "check")
      #expect(outcome.code == 0, "\(outcome.output)\(outcome.notes)")
    }

    @Test("The README has at most 220 lines, and its links lead to existing files")
    func links() throws {
      let page = try Self.page()
      #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 221)
      for match in page.matches(of: /\]\((?!http)([^)#]+)[^)]*\)/) {
        let path = Program.packageRoot.appending(path: String(match.1)).path
        #expect(FileManager.default.fileExists(atPath: path), "\(match.1)")
      }
    }
  }
}
