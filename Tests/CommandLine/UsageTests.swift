import Foundation
import OriginServer
import Testing

extension BuiltProgram {
  @Suite struct UsageTests {
    private let program = Program()

    @Test("A scenario file in the place of a command leads to `run`") func aFileIsNoCommand() async throws {
      let outcome = try await program.run("my race.json")
      #expect(outcome.code == 2)
      #expect(
        outcome.notes.hasPrefix(
          #"error: a command must precede "my race.json"; did you mean `fetcher run 'my race.json'`?"#))
    }

    @Test("The error for an unknown command suggests a similar one") func anUnknownCommandIsGuessed() async throws {
      let outcome = try await program.run("fetchh")
      #expect(outcome.code == 2)
      #expect(outcome.output == "")
      #expect(
        outcome.notes == """
          error: unknown command "fetchh"; did you mean "fetch"?
          `fetcher --help` lists all commands.

          """)
    }

    @Test("An unknown flag, a missing value and an unknown strategy are usage errors")
    func anUnknownFlagAndAMissingValueAreUsageErrors() async throws {
      let flag = try await program.run("compare", "--imagse", "3")
      #expect(flag.code == 2)
      #expect(flag.notes.hasPrefix("error: unknown flag \"--imagse\"; did you mean \"--images\"?\n"))
      let value = try await program.run("origin", "--port")
      #expect(value.code == 2)
      #expect(value.notes.hasPrefix("error: --port needs a value: --port N\n"))
      let strategy = try await program.run("demo", "--strategy", "dataTsk")
      #expect(strategy.code == 2)
      #expect(strategy.notes.contains("did you mean \"dataTask\"?"))
    }

    @Test(
      "A word of another command, or in another form, is answered with what to write",
      arguments: [
        ("run x.json --bound 1", "run has no flag --bound, which belongs to `fetcher explore`"),
        ("run --strategy async blocking socket", "a list has commas, but no spaces: --strategy async,blocking,socket"),
        ("explore x.json --budget 10s", "--budget counts schedules; for a time, write --seconds 10"),
        ("test x.json", #"unknown command "test"; did you mean "run"?"#),
        ("validate x.json", #"unknown command "validate"; did you mean "check"?"#),
      ])
    func foreignWords(_ words: String, _ answer: String) async throws {
      let outcome = try await program.run(words.split(separator: " ").map(String.init))
      #expect(outcome.code == 2)
      #expect(outcome.notes.hasPrefix("error: \(answer)\n"), "\(outcome.notes)")
    }

    @Test("`compare` suggests the file of a scenario without its ending") func comparedFile() async throws {
      let folder = try TemporaryFolder()
      _ = try folder.write("{}", to: "album.json")
      let outcome = try await Program(workingDirectory: folder.url).run("compare", "album")
      #expect(outcome.code == 2)
      #expect(outcome.notes.hasPrefix(#"error: compare takes a scenario's file; did you mean "album.json"?"#))
    }

    @Test("The help lists the commands, and the help of each command has an example")
    func theHelpListsTheCommandsAndEachOneHasAnExample() async throws {
      let overview = try await program.run("--help")
      #expect(overview.code == 0)
      #expect(overview.notes == "")
      for name in ["demo", "fetch", "system", "run", "check", "compare", "strategies", "origin"] {
        #expect(overview.output.contains("\n  \(name) "))
        let page = try await program.run(name, "--help")
        #expect(page.code == 0)
        #expect(page.output.contains("Example:\n  fetcher \(name)"))
      }
      for name in ["measure", "exhibit"] { #expect(!overview.output.contains("\n  \(name) ")) }
    }

    @Test("The version is printed in one line") func theVersionIsALine() async throws {
      let outcome = try await program.run("--version")
      #expect(outcome.code == 0)
      #expect(outcome.output.wholeMatch(of: /fetcher \d+\.\d+\.\d+\n/) != nil)
    }

    @Test("`strategies` prints a table, or JSON on request") func theStrategiesAreATableAndJSON() async throws {
      let table = try await program.run("strategies")
      #expect(table.code == 0)
      let lines = table.output.split(separator: "\n")
      let words = lines.map { String($0.prefix { $0 != " " }) }
      #expect(words.dropFirst().prefix(5) == ["blocking", "dataTask", "downloadTask", "async", "socket"])
      #expect(words.suffix(2) == ["blocking-naive", "async-builtin"])
      #expect(!table.output.contains("\u{1B}"))
      let json = try await program.run("strategies", "--json")
      let decoded = try JSONDecoder().decode(Strategies.self, from: json.bytes)
      #expect(decoded.strategies.map(\.name) == ["blocking", "dataTask", "downloadTask", "async", "socket"])
      #expect(decoded.strategies.map(\.canCancel) == [false, true, true, true, true])
      #expect(decoded.exhibits.map(\.name) == ["blocking-naive", "async-builtin"])
    }

    private struct Strategies: Decodable {
      struct Strategy: Decodable {
        let name: String
        let canCancel: Bool
      }
      struct Exhibit: Decodable {
        let name: String
        let note: String
      }
      let strategies: [Strategy]
      let exhibits: [Exhibit]
    }

    @Test("The error for a busy port names the port") func aBusyPortIsNamed() async throws {
      let busy = try OriginServer(content: OriginContent())
      let outcome = try await program.run("origin", "--port", "\(busy.port)")
      #expect(outcome.code == 4)
      #expect(outcome.notes.contains("port \(busy.port) is in use"))
    }

    @Test("A copy of the program without its resources names the folders that it searched")
    func aCopyWithoutItsResourcesSaysWhereItLooked() async throws {
      let folder = try TemporaryFolder()
      let copy = try await Program.copied(to: folder.url)
      let moved = Program(executable: copy, workingDirectory: folder.url)
      let outcome = try await moved.run()
      #expect(outcome.code == 4)
      let place = "swift-fetcher-lab_FetcherApp.resources/Resources"
      let real = folder.url.resolvingSymlinksInPath().path
      #expect(outcome.notes.contains("\(real)/\(place)"))
      #expect(outcome.notes.contains("\(real)/.build/debug/\(place)"))
    }

    @Test("A copy of the program next to its resources finds them") func aCopyBesideItsResourcesFindsThem() async throws
    {
      let folder = try TemporaryFolder()
      let copy = try await Program.copied(to: folder.url)
      let bundle = "swift-fetcher-lab_FetcherApp.resources"
      try FileManager.default.copyItem(
        at: Program.built.deletingLastPathComponent().appending(path: bundle), to: folder.url.appending(path: bundle))
      let moved = Program(executable: copy, workingDirectory: folder.url)
      let outcome = try await moved.run("demo", "--quiet", "--strategy", "dataTask")
      #expect(outcome.code == 0, "\(outcome.notes)")
    }
  }
}
