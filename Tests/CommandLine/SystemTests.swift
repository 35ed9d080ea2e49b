import Foundation
import TestMachine
import Testing

extension BuiltProgram {
  @Suite struct SystemTests {
    private static let systems = ["image-fetcher", "slideshow", "photorama", "soogreyhounds", "ios-concurrency"]
    private static let strategies = ["blocking", "dataTask", "downloadTask", "async", "socket"]
    /// The keys of whoever runs the tests are not for them.
    private static let program = Program(environment: ["PHOTORAMA_API_KEY": "", "SOOGREYHOUNDS_API_KEY": ""])

    @Test("Without a name the five systems are listed")
    func list() async throws {
      let outcome = try await Self.program.run("system")
      #expect(outcome.code == 0)
      let words = outcome.output.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != " " }) }
      #expect(words == Self.systems)
    }

    @Test("Each system works with each strategy and leaves nothing behind", arguments: systems)
    func works(system: String) async throws {
      let scratch = try TemporaryFolder()
      var program = Self.program
      program.environment["TMPDIR"] = scratch.url.path
      let outcomes = try await Self.strategies.concurrently { [program] strategy in
        try await program.run("system", system, "--strategy", strategy)
      }
      for (strategy, outcome) in zip(Self.strategies, outcomes) {
        #expect(outcome.code == 0)
        #expect(outcome.notes == "")
        let expected = try #require(SystemTranscript.expected(system, strategy))
        #expect(SystemTranscript.normalised(outcome.output) == expected)
      }
      #expect(scratch.names == [])
    }

    @Test(
      "A fault is shown as an error, the origin gets well, and the example goes on to its end", arguments: systems)
    func faults(system: String) async throws {
      let faults = ["not-found", "truncate", "close-before-headers"]
      // Each strategy meets one of them in each system, and all of them in the five; a long run has every pair.
      let turn = Self.systems.firstIndex(of: system) ?? 0
      let cases = Self.strategies.enumerated().flatMap { number, strategy in
        let met = LongTests.areEnabled ? faults : [faults[(number + turn) % faults.count]]
        return met.map { (strategy, fault: $0) }
      }
      let outcomes = try await cases.concurrently { strategy, fault in
        try await Self.program.run("system", system, "--strategy", strategy, "--fault", fault)
      }
      for ((strategy, fault), outcome) in zip(cases, outcomes) {
        #expect(outcome.code == 0)
        #expect(outcome.notes == "")
        let lines = outcome.output.split(separator: "\n")
        let errors = lines.indices.filter { lines[$0].hasPrefix("error ") }
        #expect(errors.count >= 2, "\(fault): \(outcome.output)")
        let next = errors.map { lines.dropFirst($0 + 1).first ?? "nothing" }
        #expect(next.allSatisfy { $0.hasPrefix("origin   is well again") }, "\(outcome.output)")
        // The attempt that failed is one request more, or two where Foundation tries a second time by itself.
        let expected = try #require(SystemTranscript.expected(system, strategy))
        #expect(SystemTranscript.end(of: outcome.output) == SystemTranscript.end(of: expected), "\(fault)")
      }
    }

    @Test("Every other fault is met and overcome as well")
    func otherFaults() async throws {
      // First what waits for its deadline, beside which the others run.
      let faults = ["stall", "empty", "garbage", "html", "malformed-chunk", "reset", "server-error"]
      // One of Foundation's and one without it: `FaultTests` has all of them.
      let cases = faults.flatMap { fault in ["dataTask", "socket"].map { (strategy: $0, fault) } }
      let outcomes = try await cases.concurrently { strategy, fault in
        try await Self.program.run("system", "slideshow", "--strategy", strategy, "--fault", fault)
      }
      for ((strategy, fault), outcome) in zip(cases, outcomes) {
        #expect(outcome.code == 0, "\(strategy), \(fault): \(outcome.notes)")
        #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("error ") } == 2, "\(outcome.output)")
      }
    }

    @Test("A fault spoils each of the answers of an example, the short one of its upload as well")
    func shortAnswer() async throws {
      let outcome = try await Self.program.run("system", "photorama", "--fault", "reset")
      #expect(outcome.code == 0, "\(outcome.notes)")
      #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("error ") } == 3, "\(outcome.output)")
    }

    @Test("The API key may come from the environment, and is never shown")
    func keyFromEnvironment() async throws {
      var program = Self.program
      program.environment["PHOTORAMA_API_KEY"] = "very+secret"
      let outcome = try await program.run("system", "photorama")
      #expect(outcome.code == 0, "\(outcome.notes)")
      #expect(outcome.output.contains("the API key comes from PHOTORAMA_API_KEY\n"))
      #expect(!outcome.output.contains("secret"))
    }

    @Test(
      "What is unknown is named, with a guess",
      arguments: [
        (["slidshow"], "unknown system \"slidshow\"; did you mean \"slideshow\"?"),
        (["xyz"], "unknown system \"xyz\"; there are image-fetcher, slideshow, photorama"),
        (["slideshow", "--fault", "truncat"], "unknown fault \"truncat\"; did you mean \"truncate\"?"),
        (["slideshow", "--strategy", "asink"], "unknown strategy \"asink\"; did you mean \"async\"?"),
        (["slideshow", "photorama"], "system takes one name, but there is also \"photorama\""),
      ])
    func unknown(words: [String], message: String) async throws {
      let outcome = try await Self.program.run(["system"] + words)
      #expect(outcome.code == 2)
      #expect(outcome.output == "")
      #expect(outcome.notes.hasPrefix("error: \(message)"), "\(outcome.notes)")
    }
  }
}
