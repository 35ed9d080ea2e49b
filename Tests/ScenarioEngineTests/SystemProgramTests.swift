import FetcherModel
import Foundation
import ScenarioSamples
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// The scenarios of the five systems run the pages of these systems, and nothing else can take their place.
@Suite struct SystemProgramTests {
  private static let systems = ShippedScenario.all.filter { $0.name.hasPrefix("system-") }

  @Test("Each of the five systems has a scenario that names it as its program")
  func programs() throws {
    let programs = try Self.systems.map { try $0.scenario.program }
    #expect(Set(programs) == Set(PageSystem.all.map(\.name)))
  }

  @Test("The scenario of a system fails when the list-and-picture program takes its place", arguments: systems)
  func replaced(_ shipped: ShippedScenario) throws {
    let scenario = try shipped.scenario
    for strategy in scenario.plannedStrategies {
      let record = VirtualScenarioRunner(
        scenario: scenario, folder: ShippedScenario.folder, program: { ListAndPicture($0) }
      ).run(strategy)
      #expect(try shipped.outcome(strategy, .virtual, record).ok == false, "\(strategy)")
    }
  }

  @Test(
    "The scenario of a system holds with every strategy, except for what a strategy cannot see",
    arguments: systems, StrategyRegistry.standard().names)
  func everyStrategy(_ shipped: ShippedScenario, _ strategy: String) throws {
    let failures = try shipped.outcome(strategy, .virtual, shipped.scenario.runVirtually(strategy)).failures
    // A blocking read sees neither status nor header fields.
    let allowed = strategy == "blocking" ? ["service.answer", "badStatus", "error=", "status 410"] : []
    #expect(failures.filter { failure in !allowed.contains { failure.message.contains($0) } }.map(\.message) == [])
  }

  @Test("The page of scenarios lists each system with its controls, and a step that touches another one is refused")
  func controls() throws {
    let page = try String(contentsOf: ShippedScenario.folder.appending(path: "README.md"), encoding: .utf8)
    let rows = page.split(separator: "\n")
    for system in PageSystem.all {
      let controls = system.controls.map { "`\($0)`" }.joined(separator: ", ")
      #expect(
        rows.contains { $0.hasPrefix("| `\(system.name)` |") && $0.hasSuffix("| \(controls) |") }, "\(system.name)")
    }
    let diagnostics = { (program: String, control: String) in
      SampleScenario.file(
        #"{"scenario": 1, "name": "x", "program": "\#(program)", "steps": [{"at": "0ms", "do": "tap", "view": "photos", "control": "\#(control)"}]}"#,
        vocabulary: .shipped
      ).diagnostics.map(\.message)
    }
    #expect(diagnostics("photorama", "search moon") == [])
    #expect(
      diagnostics("photorama", "serch moon") == [
        #"unknown control "serch"; there are reload, list, search, upload"#
      ])
    #expect(diagnostics("list-and-picture", "reload") == [#"the program "list-and-picture" has no controls"#])
  }

  @Test("Nothing of a system is alive after its end", arguments: systems)
  func leaks(_ shipped: ShippedScenario) throws {
    let scenario = try shipped.scenario
    let record = scenario.runVirtually(try #require(scenario.plannedStrategies.first))
    #expect(record.leaks == Scenario.Leaks())
  }
}
