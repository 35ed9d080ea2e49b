import Foundation
import Testing

extension BuiltProgram {
  @Suite struct LifeTests {
    @Test("The demo shows the bus and each strategy in at most 60 rows")
    func demo() async throws {
      let scratch = try TemporaryFolder()
      let outcome = try await Program(environment: ["TMPDIR": scratch.url.path]).run()
      #expect(outcome.code == 0, "\(outcome.notes)")
      #expect(outcome.notes == "")
      let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 60)
      #expect(lines.allSatisfy { $0.count <= 100 })
      for word in ["subscribe", "post", "deliver", "unsubscribe", "ImageFetched", "no subscriber"] {
        #expect(outcome.output.contains(word))
      }
      let table = try #require(outcome.output.firstMatch(of: /\nstrategy .*\n((?:\S.*\n)+)/)).output.1
      let rows = table.split(separator: "\n").map { $0.split(separator: /\s\s+/).map(String.init) }
      #expect(rows.map { $0[0] } == ["blocking", "dataTask", "downloadTask", "async", "socket"])
      #expect((1..<5).count { column in rows[0][column] != rows[1][column] } >= 3, "\(rows)")
      #expect(scratch.names == [], "the program left a temporary file")
    }

    @Test("With --all, the demo shows the timeline of each strategy")
    func everyTimeline() async throws {
      let outcome = try await Program().run("demo", "--all", "--strategy", "blocking,socket")
      #expect(outcome.code == 0, "\(outcome.notes)")
      for name in ["blocking", "socket"] { #expect(outcome.output.contains(try Regex("\n?\(name): .*\n"))) }
      #expect(outcome.output.contains("fetch.done sunset socket"))
    }

    @Test("After Ctrl-C, the program exits with 130 and leaves no files", arguments: [["demo"], ["origin"]])
    func ctrlCEndsWith130AndLeavesNothing(_ words: [String]) async throws {
      let scratch = try TemporaryFolder()
      let program = try Program(environment: ["TMPDIR": scratch.url.path]).start(words)
      #expect(await program.interruptAtLine() != "")
      #expect(await program.code() == 130)
      #expect(scratch.names == [])
    }

    @Test("Ctrl-C also ends the child processes") func ctrlCEndsTheChildrenToo() async throws {
      let program = try Program().start(CompareTests.endless)
      #expect(await program.noteLine().hasPrefix("measuring a slow server (wait): "))
      program.interrupt()
      #expect(await program.code() == 130)
      // The child writes its notes to the same pipe, which ends only when the last writer has ended.
      _ = await program.restOfNotes()
    }

    @Test("A reader that closes the output early does not cause an error") func aReaderThatHasSeenEnoughIsNoError()
      async throws
    {
      let program = try Program().start(["demo"])
      #expect(await program.line() != "")
      try program.closeOutput()
      #expect(await program.code() == 0)
      #expect(await program.restOfNotes().isEmpty)
    }

    @Test("`origin` serves the files of its folder") func theOriginServesItsFolder() async throws {
      let program = try Program().start(["origin", "--directory", Program.pictures.path])
      let line = await program.line()
      #expect(await program.noteLine() == "Ctrl-C stops the server.")
      #expect(line.hasPrefix("serving \(Program.pictures.path) at http://127.0.0.1:"))
      let url = try #require(line.firstMatch(of: /http:\/\/\S+/)).output
      let curl = try await Program(executable: URL(filePath: "/usr/bin/env")).run("curl", "-s", url + "moon-20.gif")
      #expect(curl.bytes == (try Data(contentsOf: Program.pictures.appending(path: "moon-20.gif"))))
      program.interrupt()
      #expect(await program.code() == 130)
    }
  }
}
