import Foundation
import Testing

extension BuiltProgram {
  /// Tests that `Scripts/run-examples.py`, which runs the examples of the pages, reports a wrong example.
  @Suite struct ExampleScriptTests {
    private static let script = Program.packageRoot.appending(path: "Scripts/run-examples.py").path

    private func run(_ page: String, _ words: [String] = [], in folder: TemporaryFolder) async throws -> Program.Outcome
    {
      _ = try folder.write(page, to: "page.md")
      let python = Program(executable: URL(filePath: "/usr/bin/env"), workingDirectory: folder.url)
      return try await python.run(["python3", Self.script] + words + ["page.md"])
    }

    private let good = """
      <!-- ci -->
      ```sh
      cd "$(mktemp -d)"
      export WORD=two
      ```

      Not run:

      ```sh
      exit 7
      ```

      <!-- ci: file list.txt -->
      ```json
      one
        $WORD
      ```

      <!-- ci: exit 3 -->
      ```sh
      cat list.txt
      sh -c 'echo "$WORD" >&2; exit 3'
      ```

      <!-- ci: output -->
      ```text
      one
        $WORD
      two
      ```

      """

    @Test("A page with correct examples passes and leaves no files")
    func passes() async throws {
      let folder = try TemporaryFolder()
      let outcome = try await run(good, in: folder)
      #expect(outcome.code == 0, "\(outcome.notes)")
      #expect(outcome.output.hasSuffix("page.md: 2 examples ran\n"))
      #expect(folder.names == ["page.md"])
    }

    @Test(
      "The script reports each mismatch with the page, and its line",
      arguments: [
        ("one\n  $WORD\ntwo\n", "one\n  $WORD\n2\n", "page.md:26: the output differs\n"),
        ("ci: exit 3", "ci: exit 4", "page.md:20: exit 3 instead of 4 from: sh -c "),
        ("ci: exit 3", "ci", "page.md:20: exit 3 instead of 0 from: sh -c "),
        ("cat list.txt", "cat list", "page.md:20: exit 1 instead of 0 from: cat list\n"),
        ("cat list.txt", "exit 0", "page.md:the shell exited, or did not finish within 600 s, in: exit 0\n"),
        ("ci: output", "ci: outputs", "page.md:25: unknown marker: <!-- ci: outputs -->\n"),
        ("<!-- ci: output -->", "<!-- ci: output -->\n\ntext", "page.md:26: no block follows the marker\n"),
        ("```sh\ncat", "```json\ncat", "page.md:20: the language of a command block must be \"sh\", not \"json\"\n"),
      ])
    func fails(_ part: String, _ replacement: String, _ message: String) async throws {
      let folder = try TemporaryFolder()
      let page = good.replacing(part, with: replacement, maxReplacements: 1)
      #expect(page != good)
      let outcome = try await run(page, in: folder)
      #expect(outcome.code == 1)
      #expect(outcome.notes.hasPrefix(message), "\(outcome.notes)")
    }

    @Test("With --update, the script writes the outputs into the page")
    func updates() async throws {
      let folder = try TemporaryFolder()
      let page = good.replacing("one\n  $WORD\ntwo\n", with: "something\n")
      #expect(try await run(page, ["--update"], in: folder).code == 0)
      #expect(try String(contentsOf: folder.url.appending(path: "page.md"), encoding: .utf8) == good)
    }

    @Test(
      "Each code block on the scenario pages is marked for the script, which runs it",
      arguments: [
        "README.md", "examples.md", "reference/running.md", "reference/search.md", "reference/diagnostics.md",
      ])
    func scenarioPages(_ name: String) throws {
      let page = Program.packageRoot.appending(path: "scenarios").appending(path: name)
      let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
      let fences = lines.indices.filter { lines[$0].hasPrefix("```") }
      #expect(!fences.isEmpty)
      for (number, line) in fences.enumerated() where number.isMultiple(of: 2) {
        #expect(lines[line - 1].hasPrefix("<!-- ci"), "line \(line + 1)")
      }
      let script = Program.packageRoot.appending(path: "Scripts/run-readme-examples")
      #expect(try String(contentsOf: script, encoding: .utf8).contains("scenarios/\(name)"))
    }
  }
}
