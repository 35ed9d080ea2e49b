import Foundation
import Testing

extension BuiltProgram {
  @Suite struct ScenarioTests {
    /// A scenario that passes on a busy machine, because its expectations do not depend on time.
    private let steady = #"""
      {"scenario": 1, "name": "steady", "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"},
                 {"at": "0ms", "do": "wait-idle"}, {"at": "0ms", "do": "select", "image": "B"}],
       "expect": [{"final": {"detail.shown": "B"}}]}
      """#
    private let shipped = Program.packageRoot.appending(path: "scenarios/late-response.json").path

    @Test("A run that passes exits with 0, and --json prints its outcome")
    func aScenarioThatHoldsEndsWith0AndTheOutcomeIsJSON() async throws {
      let folder = try TemporaryFolder()
      let file = try folder.write(steady, to: "steady.json")
      let outcome = try await Program().run("run", "--clock", "real", "--strategy", "async", "--json", file)
      #expect(outcome.code == 0, "\(outcome.output)\(outcome.notes)")
      let json = try #require(try JSONSerialization.jsonObject(with: outcome.bytes) as? [String: [[String: Any]]])
      let run = try #require(json["runs"]?.first)
      #expect(run["scenario"] as? String == "steady")
      #expect(run["strategy"] as? String == "async")
      #expect(run["ok"] as? Bool == true)
      #expect((run["failures"] as? [Any])?.isEmpty == true)
    }

    @Test(
      "A run on the real clock does not reuse a connection from an earlier run"
    )
    func ownConnections() async throws {
      let files = ["first-look", "fault-closed-early"].map { "scenarios/\($0).json" }
      let paths = files.map { Program.packageRoot.appending(path: $0).path }
      let outcome = try await Program().run(["run", "--clock", "real", "--strategy", "socket,async"] + paths)
      #expect(outcome.code == 0, "\(outcome.output)\(outcome.notes)")
    }

    @Test("A run on the virtual clock takes no real time and produces the same report every time")
    func theVirtualClockTakesNoTimeAndIsTheSameEveryTime() async throws {
      let folder = try TemporaryFolder()
      let file = try folder.write(
        #"""
        {"scenario": 1, "name": "far", "clocks": ["virtual"], "images": [{"id": "A", "path": "/a.png"}],
         "origin": {"default": {"latency": "900s"}},
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "2000s", "do": "select", "image": "A"}],
         "expect": [{"final": {"detail.shown": "A"}}, {"within": {"event": "fetch.done", "limit": "2900s"}}]}
        """#, to: "far.json")
      let first = try await Program().run("run", "--strategy", "dataTask", "--json", file)
      let second = try await Program().run("run", "--strategy", "dataTask", "--json", file)
      #expect(first.code == 1, "the deadline of a fetch, a minute, expires before the response")
      #expect(first.output.contains("did not happen"))
      let wall = /"wallSeconds" : [0-9.e-]+/
      #expect(first.output.contains(wall))
      #expect(first.output.replacing(wall, with: "") == second.output.replacing(wall, with: ""))
    }

    @Test("A run with a failed expectation exits with 1 and names its location and reason")
    func anExpectationThatFailsEndsWith1() async throws {
      let folder = try TemporaryFolder()
      let text = try String(contentsOfFile: shipped, encoding: .utf8)
        .replacing(#""detail.shown": "B""#, with: #""detail.shown": "A""#)
      let file = try folder.write(text, to: "late-response.json")
      let outcome = try await Program().run("run", "--strategy", "dataTask", file)
      #expect(outcome.code == 1)
      #expect(outcome.output.contains("\(file):22:5: final detail.shown: expected \"A\", got \"B\" (event "))
      #expect(outcome.output.contains("\n    The view must show the last selection, not the last response.\n"))
    }

    @Test("A run of an invalid file exits with 3 and states the reason") func anInvalidFileEndsWith3AndTheReason()
      async throws
    {
      let folder = try TemporaryFolder()
      let text = try String(contentsOfFile: shipped, encoding: .utf8).replacing("latency", with: "latncy")
      let file = try folder.write(text, to: "late-response.json")
      let outcome = try await Program().run("run", shipped, file)
      #expect(outcome.code == 3)
      #expect(outcome.output == "", "no scenario may run before all files are read")
      #expect(outcome.notes.contains("error[E07]: unknown key \"latncy\"\n  --> \(file):12:"))
    }

    @Test(
      "A Markdown page is rejected with an error that states that it is not a scenario",
      arguments: ["run", "check", "explore"])
    func markdown(_ command: String) async throws {
      let outcome = try await Program(workingDirectory: Program.packageRoot).run(command, "scenarios/README.md")
      #expect(outcome.code == 3)
      #expect(outcome.notes.contains("scenarios/README.md: a Markdown page is not a scenario; pass a .json file"))
      #expect(!outcome.notes.contains("E01"))
    }

    @Test(
      "The name of a written page always has an extension that a browser opens",
      arguments: [
        ("late", ["late-response.json"], "late.html"), ("late.htm", ["late-response.json"], "late.htm"),
        ("pages", ["late-response.json", "cache-hit.json"], "pages/index.html"),
        ("report.html", ["late-response.json", "cache-hit.json"], "report/index.html"),
      ])
    func pageName(_ name: String, _ files: [String], _ written: String) async throws {
      let folder = try TemporaryFolder()
      let scenarios = files.map { Program.packageRoot.appending(path: "scenarios/\($0)").path }
      let outcome = try await Program(workingDirectory: folder.url).run(
        ["run", "--strategy", "dataTask", "--html", name] + scenarios)
      #expect(outcome.code == 0, "\(outcome.notes)")
      #expect(outcome.output.contains("page: \(written)"), "\(outcome.output)")
      #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: written).path))
    }

    @Test("A run of a folder prints a summary and writes a JUnit report")
    func aFolderRunsWithASummaryAndAReportForBuildServers() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write(steady, to: "steady.json")
      _ = try folder.write(
        steady.replacing("steady", with: "wrong").replacing(#""detail.shown": "B""#, with: #""detail.shown": "A""#),
        to: "wrong.json")
      _ = try folder.write(
        #"{"scenario": 1, "name": "far", "clocks": ["virtual"], "steps": []}"#, to: "far.json")
      let report = folder.url.appending(path: "report.xml")
      let outcome = try await Program().run(
        "run", "--clock", "real", "--strategy", "async", "--quiet", "--junit", report.path, folder.url.path)
      #expect(outcome.code == 1)
      #expect(outcome.output.hasPrefix("failed  wrong  async  real\n"))
      #expect(outcome.output.contains(/\n2 runs of 3 scenarios: 1 passed, 1 failed \(\d+\.\d\d s\)\n$/))
      #expect(
        outcome.notes
          == "\(folder.url.path)/far.json: skipped, because its expectations do not hold on the real clock\n")
      let xml = try String(contentsOf: report, encoding: .utf8)
      #expect(xml.contains(#"<testsuite name="fetcher run" tests="2" failures="1">"#))
      #expect(xml.contains(#"<testcase classname="steady" name="async, fixed, real clock" time=""#))
      #expect(xml.contains("expected &quot;A&quot;, got &quot;B&quot;"))
    }
  }
}
