import Foundation
import Testing

extension BuiltProgram {
  /// The runs that the page “From the tutorials” shows.
  @Suite struct TutorialPageTests {
    /// A command of the page, and lines of its output in their order.
    private struct Run: CustomTestStringConvertible {
      let command: String
      let lines: [String]
      var testDescription: String { command }
    }

    private static func runs() throws -> [Run] {
      let folder = Program.packageRoot.appending(path: "Sources/TutorialApps/TutorialApps.docc")
      let page = try String(contentsOf: folder.appending(path: "ComingFromTheTutorials.md"), encoding: .utf8)
      return page.matches(of: /(?m)^\*\*Run\*\*:((?:.+\n)+)/).map { paragraph in
        let spans = paragraph.1.matches(of: /`([^`]+)`/).map { String($0.1) }
        return Run(command: spans.first ?? "", lines: Array(spans.dropFirst()))
      }
    }

    @Test("Each command on the page prints the lines that the page shows for it") func lines() async throws {
      let runs = try Self.runs()
      #expect(runs.count > 15)
      let program = Program(
        workingDirectory: Program.packageRoot, environment: ["PHOTORAMA_API_KEY": "", "SOOGREYHOUNDS_API_KEY": ""])
      let outcomes = try await runs.concurrently { [program] run in
        let words = run.command.split(separator: " ").map(String.init)
        try #require(words.first == "fetcher")
        return try await program.run(Array(words.dropFirst()))
      }
      for (run, outcome) in zip(runs, outcomes) {
        #expect(outcome.code == 0, "\(run.command): \(outcome.notes)")
        #expect(!run.lines.isEmpty, "\(run.command)")
        var rest = outcome.output[...]
        for line in run.lines {
          let found = rest.firstRange(of: line)
          #expect(found != nil, "\(run.command) does not print \(line), or too early")
          rest = rest[(found?.upperBound ?? rest.startIndex)...]
        }
      }
    }
  }
}
