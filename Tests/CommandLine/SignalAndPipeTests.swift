import Foundation
import TestMachine
import Testing

@Suite(.waiting, .timeLimit(.minutes(10)), .serialized) struct SignalAndPipeTests {
  private let shell = Program(executable: URL(filePath: "/bin/sh"), environment: ["FETCHER": Program.built.path])
  private let scenario = Program.packageRoot.appending(path: "scenarios/late-response.json").path

  @Test("Ctrl-C during a comparison leaves no temporary directory")
  func ctrlCDuringAComparisonLeavesNoTemporaryDirectory() async throws {
    for _ in 0..<5 {
      let scratch = try TemporaryFolder()
      let program = try Program(environment: ["TMPDIR": scratch.url.path]).start(CompareTests.endless)
      #expect(await program.noteLine().hasPrefix("measuring a slow server (wait): "))
      program.interrupt()
      #expect(await program.code() == 130)
      #expect(scratch.names == [])
    }
  }

  @Test("Ctrl-C in the first milliseconds ends the program") func ctrlCInTheFirstMillisecondsIsNotLost() async throws {
    let scratch = try TemporaryFolder()
    for _ in 0..<20 {
      let program = try Program(environment: ["TMPDIR": scratch.url.path]).start(["origin"])
      program.interrupt()
      // Before `main`, the system ends the process with the number of the signal.
      #expect([130, SIGINT].contains(await program.code()))
      #expect(scratch.names == [])
    }
  }

  @Test("If the parent process is killed, its child process ends as well") func aParentThatIsKilledTakesItsChildAlong()
    async throws
  {
    let program = try shell.start(["-c", #"echo $$; exec "$FETCHER" \#(CompareTests.endless.joined(separator: " "))"#])
    let identifier = try #require(pid_t(await program.line()))
    #expect(await program.noteLine().hasPrefix("measuring a slow server (wait): "))
    kill(identifier, SIGKILL)
    // The child writes its notes to the same pipe, which ends only when the last writer has ended.
    _ = await program.restOfNotes()
  }

  @Test("If the output is full or closed, the program prints one error and exits with 1")
  func aFullDiskAndAClosedStreamAreOneLineAndCode1() async throws {
    for redirection in [">/dev/full", ">&-"] {
      let outcome = try await shell.run("-c", "\"$FETCHER\" strategies \(redirection)")
      #expect(outcome.code == 1)
      #expect(outcome.notes.hasPrefix("error: cannot write the results: "))
      #expect(outcome.notes.split(separator: "\n").count == 1)
    }
  }

  @Test("The exit code is correct even if no process reads the output")
  func whoeverChecksGetsTheRealCodeAlsoWhenNobodyReads() async throws {
    let program = try Program().start(["fetch", "http://example.org/a.png"])
    try program.closeOutput()
    #expect(await program.code() == 1)
    let running = try Program().start(["run", scenario, "--strategy", "async"])
    try running.closeOutput()
    #expect(await running.code() == 0)
  }

  /// Writes two scenarios for the real clock. One ends at once, and the other outlasts the test.
  private func scenarios(_ folder: TemporaryFolder) throws {
    for (name, latency) in [("a-short", "0ms"), ("b-long", "50s")] {
      _ = try folder.write(
        """
        {"scenario": 1, "name": "\(name)", "clock": "real", "images": [{"id": "A", "path": "/a.png"}],
         "origin": {"default": {"latency": "\(latency)"}},
         "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}]}
        """, to: "\(name).json")
    }
  }

  @Test("After Ctrl-C in a run on the real clock, the program exits with 130 and reports the completed runs")
  func interruptedRun() async throws {
    let folder = try TemporaryFolder()
    try scenarios(folder)
    let program = try Program(workingDirectory: folder.url).start(["run", ".", "--junit", "report.xml"])
    #expect(await program.interruptAtLine() == "passed  a-short  dataTask  real")
    #expect(await program.code() == 130)
    let rest = String(decoding: await program.restOfOutput(), as: UTF8.self)
    #expect(rest.contains(/^1 run of 2 scenarios: 1 passed, 0 failed \(\d+\.\d\d s\)\n$/), "\(rest)")
    #expect(String(decoding: await program.restOfNotes(), as: UTF8.self) == "ended early: 1 of 2 runs are done\n")
    let report = try String(contentsOf: folder.url.appending(path: "report.xml"), encoding: .utf8)
    #expect(report.contains(#"<testsuite name="fetcher run" tests="1" failures="0">"#))
  }

  @Test("A report is written even if the reader closes the output early")
  func reportWithoutReader() async throws {
    let folder = try TemporaryFolder()
    let words = ["run", scenario, "--strategy", "async", "--timeline", "--junit", "report.xml"]
    let program = try Program(workingDirectory: folder.url).start(words)
    try program.closeOutput()
    #expect(await program.code() == 0)
    #expect(folder.names == ["report.xml"])
  }

  @Test("A run of a file that does not exist exits with 4") func aScenarioThatCannotBeReadEndsWith4() async throws {
    let outcome = try await Program().run("run", "/nowhere/a.json")
    #expect(outcome.code == 4)
    #expect(outcome.notes.contains("/nowhere/a.json: the file does not exist"))
  }

  @Test("The usage error for an impossible flag value names the value") func valuesThatCannotBeAreNamed() async throws {
    let port = try await Program().run("origin", "--port", "-1")
    #expect(port.code == 2)
    #expect(port.notes.contains("from 0 to 65535"))
    let folder = try await Program().run("fetch", "--output", "", "http://127.0.0.1/a.png")
    #expect(folder.code == 2)
    #expect(folder.notes.contains("--output needs a value"))
    #expect(try await Program().run("demo", "--quiet", "--strategies", "async").code == 0)
  }

  @Test("A request to a loopback address bypasses the proxy") func aProxyIsNotAskedForTheLoopback() async throws {
    let proxy = "http://127.0.0.1:1"
    let folder = try TemporaryFolder.withScenarios("late-response.json")
    let program = Program(
      workingDirectory: folder.url, environment: ["http_proxy": proxy, "HTTP_PROXY": proxy, "all_proxy": proxy])
    let outcome = try await program.run(
      "compare", "--allow-debug", "--workload", "list", "--images", "4", "--blocks", "1")
    #expect(outcome.code == 0, "\(outcome.notes)")
  }
}
