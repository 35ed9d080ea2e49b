import Foundation
import OriginServer
import ScenarioEngine
import ScenarioFormat
import TestMachine
import Testing

@testable import FetcherApp

@Suite(.computing) struct DemoTests {
  private static let folder = packageRoot.appending(path: "Sources/FetcherApp/Resources/pictures")

  private func read(_ walk: DemoCommand.Walk) throws -> (ScenarioFile, Scenario) {
    let file = try ScenarioPaths.read(Self.folder.appending(path: walk.rawValue).path)
    return (file, try #require(file.scenario))
  }

  @Test(
    "The walks of the demo hold on the virtual clock", arguments: DemoCommand.Walk.allCases, StrategyNames.all)
  func holds(_ walk: DemoCommand.Walk, _ strategy: String) throws {
    let (file, scenario) = try read(walk)
    let record = VirtualScenarioRunner(scenario: scenario, folder: Self.folder).run(strategy)
    let outcome = ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .virtual, record)
    #expect(outcome.failures == [])
  }

  @Test("On the real clock no row of the walk precedes its cause")
  func causes() async throws {
    let (_, scenario) = try read(.walk)
    for _ in 0..<LongTests.times(3, long: 200) {
      let origin = try OriginServer(content: OriginContent())
      let record = await ScenarioRunner(
        scenario: scenario, folder: Self.folder, origin: origin, runtime: UncrowdedRuntime(),
        patience: .seconds(120), showsBus: true
      ).run("blocking")
      let lines = DemoWalk(record).lines(heading: { $0 }, note: { $0 })
      #expect(lines.count <= 42)
      #expect(lines.allSatisfy { $0.count <= 100 }, "\(lines)")
      let row = { (text: String) in try #require(lines.firstIndex { $0.contains(text) }, "\(text): \(lines)") }
      for (cause, effect) in [
        ("  subscribe sunset", "post ImageFetched sunset -> detail"), ("read sunset", "post ImageFetched sunset"),
        ("post ImageFetched sunset -> detail", "deliver to detail"), ("unsubscribe peaks", "200 peaks"),
        ("200 peaks", "post ImageFetched peaks -> no subscriber"),
        ("200 city", "post ImageFetched city -> detail"), ("200 dunes", "post ImageFetched dunes -> no subscriber"),
        ("subscribe stars", "post ImageFetchFailed stars -> detail"),
      ] { #expect(try row(cause) < row(effect), "\(lines)") }
      for delivery in lines.filter({ $0.contains("deliver to") }) { #expect(delivery.contains("  draw ")) }
    }
  }
}
