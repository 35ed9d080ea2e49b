import Foundation
import Testing

extension BuiltProgram {
  /// The program prints colors only on a terminal, and only if the user does not forbid them.
  @Suite struct ColorTests {
    private let scenario = Program.packageRoot.appending(path: "scenarios/late-response.json").path

    /// Runs the program on a separate terminal.
    private func onTerminal(_ words: [String], _ environment: [String: String] = [:]) async throws -> String {
      let wanted = ["NO_COLOR": "", "TERM": "xterm"].merging(environment) { $1 }
      let python = Program(executable: URL(filePath: "/usr/bin/env"), environment: wanted)
      let spawn = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"
      let outcome = try await python.run(["python3", "-c", spawn, Program.built.path] + words)
      #expect(outcome.code == 0, "\(outcome.notes)")
      return outcome.output
    }

    @Test("On a terminal, the verdict has a color")
    func colored() async throws {
      let output = try await onTerminal(["run", scenario, "--strategy", "async"])
      #expect(output == "\u{1B}[32mpassed\u{1B}[0m  late-response  async  virtual\r\n")
    }

    @Test("On a terminal, a long run shows its progress")
    func progress() async throws {
      let folder = try TemporaryFolder()
      let scenario = """
        {"scenario": 1, "name": "long", "clocks": ["real"], "strategies": ["async", "dataTask"],
        "images": [{"id": "A", "path": "/a.png"}], "expect": [],
        "origin": {"routes": [{"path": "/a.png", "responses": [{"body": "A"}]}]},
        "steps": [{"at": "1500ms", "do": "note", "text": "end"}]}
        """
      let file = try folder.write(scenario, to: "long.json")
      let page = folder.url.appending(path: "page.html").path
      let output = try await onTerminal(["run", file, "--html", page, "--no-color"])
      #expect(output.contains(/33 %  0:\d\d left  long, dataTask\r\u{1B}\[Kpassed  long  dataTask  real/))
      #expect(output.contains(/67 %  0:\d\d left  writing the page\r\u{1B}\[Kpage/))
    }

    @Test(
      "A flag or an environment variable disables colors on a terminal",
      arguments: [
        (["--no-color"], [:]), ([], ["NO_COLOR": "1"]), ([], ["TERM": "dumb"]),
      ] as [([String], [String: String])])
    func plain(_ flags: [String], _ environment: [String: String]) async throws {
      let output = try await onTerminal(["run", scenario, "--strategy", "async"] + flags, environment)
      #expect(output == "passed  late-response  async  virtual\r\n")
    }
  }
}
