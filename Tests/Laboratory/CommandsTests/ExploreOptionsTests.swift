import CommandLineTool
import Testing

@testable import Commands

@Suite struct ExploreOptionsTests {
  @Test(
    "A flag for a setting of the file is refused with the place of the setting", arguments: ["--slack", "--timing"])
  func setting(_ flag: String) {
    let parser = CommandLineParser(commands: LaboratoryCommands.all, fallback: RunCommand.command)
    let error = #expect(throws: UsageError.self) { try parser.parse(["explore", "a.json", flag, "100ms"]) }
    #expect(error.map { "\($0)" }?.contains("set it in the file, such as \"timing\": {\"slack\": \"100ms\"}") == true)
  }
}
