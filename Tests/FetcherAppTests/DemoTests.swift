import Foundation
import ScenarioEngine
import ScenarioFormat
import TestMachine
import Testing

@testable import FetcherApp

@Suite struct DemoTests {
  @Test("The walk of the demo holds on the virtual clock with every strategy", arguments: StrategyNames.all)
  func holds(_ strategy: String) throws {
    let path = packageRoot.appending(path: "Sources/FetcherApp/Resources/pictures/\(DemoCommand.file)").path
    let file = try ScenarioPaths.read(path)
    let scenario = try #require(file.scenario)
    let folder = URL(filePath: path).deletingLastPathComponent()
    let record = VirtualScenarioRunner(scenario: scenario, folder: folder).run(strategy)
    let outcome = ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .virtual, record)
    #expect(outcome.failures == [])
    #expect(scenario.strategies == StrategyNames.all)
  }
}
