import CommandLineTool
import Foundation
import ScenarioEngine
import ScenarioFormat
import TestMachine
import Testing

@testable import Commands

@Suite(.computing) struct DemoScenarioTests {
  private static let folder = packageRoot.appending(path: "Sources/FetcherApp/Resources/pictures")

  @Test(
    "The scenarios of the demo pass on the virtual clock with every strategy", arguments: DemoScenarios.Walk.allCases,
    StrategyOption.program.all)
  func holds(_ walk: DemoScenarios.Walk, _ strategy: String) throws {
    let file = try ScenarioPaths.read(Self.folder.appending(path: walk.rawValue).path)
    let scenario = try #require(file.scenario)
    let record = VirtualScenarioRunner(scenario: scenario, folder: Self.folder).run(strategy)
    let outcome = ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .virtual, record)
    #expect(outcome.failures == [])
  }

  @Test("The demo's page plays the walk that the demo prints")
  func sameWalk() throws {
    let file = try ScenarioPaths.read(Self.folder.appending(path: DemoScenarios.Walk.walk.rawValue).path)
    let scenario = try #require(file.scenario)
    let demo = try String(
      contentsOf: packageRoot.appending(path: "Sources/FetcherApp/Demo/DemoWalk.swift"), encoding: .utf8)
    // The calls in the body of `run`, in order.
    let body = try #require(demo.firstMatch(of: /func run\(\)(.|\n)*?environment.shutDown/)).0
    let calls = body.matches(of: /(begin|select|appear|disappear)\((?:".*", \.)?(\w*)\)/).map { "\($0.1) \($0.2)" }
    let steps = scenario.steps.compactMap { step -> String? in
      switch step.action {
      case .switchStrategy(let name): "begin \(name)"
      case .select(let image, _): "select \(image)"
      case .appear: "appear "
      case .disappear: "disappear "
      default: nil
      }
    }
    #expect(calls == steps)
    #expect(calls.count == 13)
  }
}
