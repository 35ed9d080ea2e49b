import Foundation
import Testing

extension BuiltProgram {
  @Suite struct LifeTests {
    @Test func theDemoShowsEachStrategyAndEndsWell() async throws {
      let scratch = try TemporaryFolder()
      let outcome = try await Program(environment: ["TMPDIR": scratch.url.path]).run()
      #expect(outcome.code == 0, "\(outcome.notes)")
      #expect(outcome.notes == "")
      for name in ["blocking", "dataTask", "downloadTask", "async", "socket"] {
        #expect(outcome.output.contains(try Regex("\n?\(name): .*\n")))
        #expect(outcome.output.contains(try Regex("\n\(name) .* hold\n")))
      }
      #expect(scratch.names == [], "no temporary file is left")
    }

    @Test(arguments: [["demo"], ["origin"]])
    func ctrlCEndsWith130AndLeavesNothing(_ words: [String]) async throws {
      let scratch = try TemporaryFolder()
      let program = try Program(environment: ["TMPDIR": scratch.url.path]).start(words)
      #expect(await program.interruptAtLine() != "")
      #expect(await program.code() == 130)
      #expect(scratch.names == [])
    }

    @Test func ctrlCEndsTheChildrenToo() async throws {
      let program = try Program().start(CompareTests.endless)
      #expect(await program.noteLine().hasPrefix("measuring wait: "))
      program.interrupt()
      #expect(await program.code() == 130)
      // The child writes its notes to the same pipe: the end comes only when nobody is left to write.
      _ = await program.restOfNotes()
    }

    @Test func aReaderThatHasSeenEnoughIsNoError() async throws {
      let program = try Program().start(["demo"])
      #expect(await program.line() != "")
      try program.closeOutput()
      #expect(await program.code() == 0)
      #expect(await program.restOfNotes().isEmpty)
    }

    @Test func theOriginServesItsFolder() async throws {
      let program = try Program().start(["origin", "--directory", Program.pictures.path])
      let line = await program.line()
      #expect(await program.noteLine() == "Ctrl-C ends.")
      #expect(line.hasPrefix("serving \(Program.pictures.path) at http://127.0.0.1:"))
      let url = try #require(line.firstMatch(of: /http:\/\/\S+/)).output
      let curl = try await Program(executable: URL(filePath: "/usr/bin/env")).run("curl", "-s", url + "moon-20.gif")
      #expect(curl.bytes == (try Data(contentsOf: Program.pictures.appending(path: "moon-20.gif"))))
      program.interrupt()
      #expect(await program.code() == 130)
    }
  }
}
