import TestMachine
import Testing

@testable import CommandLineTool
@testable import Commands
@testable import FetcherApp

@Suite(.childProcesses) struct CommandLineParserTests {
  private let parser = CommandLineParser(commands: Application.commands, fallback: DemoCommand.command)

  private func error(_ words: String...) -> String? {
    #expect(throws: UsageError.self) { try parser.parse(words) }?.description
  }

  @Test("Without a command, the parser selects the demo") func withoutAWordTheDemoRuns() throws {
    for words in [[], ["--quiet"], ["demo"]] {
      guard case .run(let command, _) = try parser.parse(words) else {
        Issue.record("\(words) runs nothing")
        continue
      }
      #expect(command.name == "demo")
    }
  }

  @Test("A value follows its flag after a space or an equals sign") func aValueFollowsItsFlagOrAnEqualsSign() throws {
    for words in [["fetch", "--output", "a", "u", "v"], ["fetch", "u", "--output=a", "--", "v"]] {
      guard case .run(_, let parsed) = try parser.parse(words) else { continue }
      #expect(parsed[FetchCommand.output] == "a")
      #expect(parsed.arguments == ["u", "v"])
    }
  }

  @Test("The parser explains each mistake, and suggests a similar command or flag") func mistakesAreExplained() {
    #expect(error("fetchh") == #"unknown command "fetchh"; did you mean "fetch"?"#)
    #expect(error("banana") == #"unknown command "banana""#)
    #expect(error("fetch", "u", "--outptu", "a") == #"unknown flag "--outptu"; did you mean "--output"?"#)
    #expect(error("fetch", "u", "--output") == "--output needs a value: --output DIR")
    #expect(error("fetch", "u", "--output", "--json") == "--output needs a value: --output DIR")
    #expect(error("fetch", "u", "--json=1") == "--json takes no value")
    #expect(error("fetch") == "fetch needs at least one URL")
    #expect(error("strategies", "x") == #"strategies takes no arguments, but got "x""#)
  }

  @Test("A list that names an item twice is rejected, because the item would run twice")
  func namesAreThereOnce() throws {
    let option = CommandOption("--strategy", "A,B", "")
    var arguments = ParsedArguments(of: [option])
    let list = { (arguments: ParsedArguments) in try arguments.list(option, of: ["a", "b"], or: []) }
    arguments.set(option, to: "b,a")
    #expect(try list(arguments) == ["b", "a"])
    arguments.set(option, to: "a,b,a")
    let error = #expect(throws: UsageError.self) { try list(arguments) }
    #expect(error?.description == #"--strategy lists "a" twice; list each name once"#)
  }

  @Test("The flags of a command have distinct names and aliases", arguments: Application.commands.map(\.name))
  func names(_ name: String) throws {
    let command = try #require(Application.commands.first { $0.name == name })
    let names = command.allOptions.flatMap { [$0.name] + ($0.alias.map { [$0] } ?? []) }
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0.hasPrefix("--") })
  }

  @Test("Reading a flag that a command does not declare traps") func undeclared() async {
    await #expect(processExitsWith: .failure) {
      _ = ParsedArguments(of: CheckCommand.command.allOptions).has(RunCommand.matrix)
    }
    await #expect(processExitsWith: .failure) {
      _ = ParsedArguments(of: CheckCommand.command.allOptions)[FetchCommand.output]
    }
  }

  @Test("Every command accepts the example in its help") func everyCommandHasAnExampleThatItUnderstands() throws {
    for command in Application.commands {
      let words = command.example.split(separator: " ").dropFirst().map(String.init)
      guard case .run(let parsed, _) = try parser.parse(words) else {
        Issue.record("\(command.example) does not run")
        continue
      }
      #expect(parsed.name == command.name)
    }
  }
}
