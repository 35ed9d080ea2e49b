import Foundation
import Testing

extension BuiltProgram {
  /// README.md, as far as `Scripts/run-examples.py` cannot compare it.
  @Suite struct ReadmeTests {
    @Test("The timeline on the page is what the program prints")
    func timeline() async throws {
      let page = try String(contentsOf: Program.packageRoot.appending(path: "README.md"), encoding: .utf8)
      let shown = try #require(page.firstMatch(of: /```text\n((?s:.)*?)```/)).1
      let outcome = try await Program(workingDirectory: Program.packageRoot).run(
        ["run", "scenarios/late-response.json", "--strategy", "blocking", "--timeline"])
      #expect(outcome.output == shown)
    }
  }
}
