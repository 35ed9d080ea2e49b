import Foundation
import TestMachine
import Testing

/// These tests run next to the others, because an exhibit mostly waits.
@Suite(.waiting, .timeLimit(.minutes(10))) struct ExhibitTests {
  @Test("An exhibit shows the starved pool next to its remedy, and ends")
  func blockingNaive() async throws {
    let outcome = try await Program().run("strategies", "--exhibit", "blocking-naive")
    #expect(outcome.code == 0, "\(outcome.notes)")
    let lines = outcome.output.split(separator: "\n")
    try #require(lines.count == 4, "\(outcome.output)")
    #expect(lines[3].contains("grows by one thread per second"))
    #if os(Linux)
      let time = lines[1].firstMatch(of: /the last after ([0-9.]+) s/).flatMap { Double($0.1) } ?? -1
      // The time is printed with two decimals.
      #expect(time >= 1, "more reads than threads wait for the pool to grow")
    #endif
    #expect(lines[2].contains(/^blocking +(\d+) requests, at once: \1 ended/))
  }

  @Test("An exhibit reports the hang or trap of the built-in API, and the strategy succeeds", .long)
  func asyncBuiltin() async throws {
    let scratch = try TemporaryFolder()
    let program = Program(environment: ["TMPDIR": scratch.url.path])
    let outcome = try await program.run("strategies", "--exhibit", "async-builtin")
    #expect(outcome.code == 0, "\(outcome.notes)")
    let lines = outcome.output.split(separator: "\n")
    try #require(lines.count == 4, "\(outcome.output)")
    #if os(Linux)
      #expect(lines[1].hasPrefix("async-builtin "))
      // The exhibit can succeed by chance. ChildProcessTests has one that always fails.
      let isThrough = lines[1].contains(": 500 ended")
      let ends = ["then the watchdog ended the process after 5 s", "was terminated by signal 4 (Illegal instruction)"]
      #expect(isThrough || ends.contains { lines[1].hasSuffix($0) }, "\(lines[1])")
    #endif
    #expect(lines[2].contains(/^async +500 requests, [^:]*: 500 ended/))
    #expect(lines[3].contains("swift-corelibs-foundation #5412"))
    #expect(scratch.names == [])
  }

  @Test("Ctrl-C ends an exhibit and its child")
  func interrupted() async throws {
    let program = try Program().start(["strategies", "--exhibit", "async-builtin"])
    #expect(await program.interruptAtLine().hasPrefix("async-builtin: "))
    #expect(await program.code() == 130)
    // The child writes its notes to the same pipe, which ends only when the last writer has ended.
    _ = await program.restOfNotes()
  }

  @Test("An unknown exhibit, or an exhibit that is used as a strategy, is a usage error")
  func unknown() async throws {
    let fetch = try await Program().run("fetch", "--strategy", "async-builtin", "http://127.0.0.1/a.png")
    #expect(fetch.code == 2)
    let outcome = try await Program().run("strategies", "--exhibit", "blocking-naiv")
    #expect(outcome.code == 2)
    #expect(outcome.notes.hasPrefix("error: unknown exhibit \"blocking-naiv\"; did you mean \"blocking-naive\"?"))
  }
}
