import CommandLineTool
import FetcherModel
import Foundation
import PlainText
import ScenarioEngine
import ScenarioFormat
import TestMachine
import Testing
import TutorialApps

@testable import Commands

/// The five systems as `fetcher system` runs them, on the virtual clock.
@Suite(.computing) struct SystemFaultTests {
  private static let resources = packageRoot.appending(path: "Sources/FetcherApp/Resources")
  private static let strategies = StrategyOption.program.all

  private func run(_ example: SystemExample, _ strategy: String, _ fault: SystemFault? = nil) throws -> [RunEvent] {
    let folder = Self.resources.appending(path: "pictures")
    let file = try ScenarioFile(path: folder.appending(path: "system-\(example.name).json").path)
    let scenario = try #require(file.scenario, "\(file.diagnostics)")
    let played = fault?.spoil(scenario) ?? scenario
    let program = example.system.program(deadline: fault?.deadline)
    let record = VirtualScenarioRunner(scenario: played, folder: folder, program: program).run(strategy)
    let outcome = ScenarioOutcome(of: played, file.source, strategy: strategy, clock: .virtual, record)
    #expect(outcome.failures.map(\.message) == [], "\(strategy), \(fault?.rawValue ?? "well")")
    return record.events
  }

  @Test(
    "Each system's scenario passes with its program and every strategy", arguments: SystemExample.all)
  func holds(_ example: SystemExample) throws {
    for strategy in Self.strategies { #expect(try run(example, strategy).count > 10) }
  }

  @Test(
    "Each fault is shown on a page, and the final pages are complete",
    // One that sees status and header fields, and one that does not: `FaultTests` has all of them.
    arguments: LongTests.some(of: SystemExample.all, every: 2), LongTests.some(of: ["dataTask", "blocking"], every: 2))
  func recovers(_ example: SystemExample, _ strategy: String) throws {
    let well = try run(example, strategy)
    for fault in SystemFault.allCases {
      let spoilt = try run(example, strategy, fault)
      #expect(wrong(spoilt) > wrong(well), "\(fault)")
      #expect(shown(spoilt).isSuperset(of: shown(well)), "\(fault)")
    }
  }

  @Test("A short deadline ends a stalled fetch", arguments: SystemExample.all)
  func stall(_ example: SystemExample) throws {
    let events = try run(example, "async", .stall)
    #expect(try #require(events.last).time < .seconds(20))
    let errors = Set(events.compactMap { $0[.error] })
    #expect(
      errors.contains("timedOut")
        && errors.isSubset(of: ["timedOut", "cancelled", "blockedByTransportPolicy", "invalidURL"]))
  }

  @Test("Each system's property list contains valid settings for its pages", arguments: SystemExample.all)
  func settings(_ example: SystemExample) throws {
    let file = Self.resources.appending(path: "settings/\(example.name).plist")
    try example.system.validate(ServiceConfiguration(contentsOf: file))
  }

  private func wrong(_ events: [RunEvent]) -> Int {
    events.count { $0.kind == .fetchFailed || $0.kind == .pageShow && $0[.error] != nil }
  }

  /// Returns the texts and pictures that were shown at any time.
  private func shown(_ events: [RunEvent]) -> Set<String> {
    Set(
      events.compactMap { event in
        switch event.kind {
        case .uiUpdate: event[.shown]
        case .pageShow where event[.error] == nil: event[.text].flatMap { $0.contains("network failed") ? nil : $0 }
        default: nil
        }
      }.filter { !$0.hasPrefix("picture “") })
  }
}
