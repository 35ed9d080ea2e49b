import FetcherModel
import Foundation
import ScenarioEngine
import ScenarioFormat
import TestMachine
import Testing

@testable import FetcherApp

/// The five systems as `fetcher system` plays them, on the virtual clock.
@Suite(.computing) struct SystemFaultTests {
  private static let resources = packageRoot.appending(path: "Sources/FetcherApp/Resources")
  private static let strategies = StrategyRegistry.standard().names.map(\.description)

  /// - Parameter latency: how long each answer takes, instead of what the scenario says.
  private func run(
    _ example: SystemExample, _ strategy: String, _ fault: SystemFault? = nil, latency: Duration? = nil
  ) throws -> [RunEvent] {
    let folder = Self.resources.appending(path: "pictures")
    let file = try ScenarioFile(path: folder.appending(path: "system-\(example.name).json").path)
    let scenario = try #require(file.scenario, "\(file.diagnostics)")
    var played = fault?.spoil(scenario) ?? scenario
    for (place, route) in played.origin.routes.enumerated() {
      for number in route.responses.indices {
        if let latency { played.origin.routes[place].responses[number].latency = .fixed(latency) }
      }
    }
    let program = example.system.program(firstDeadline: fault?.firstDeadline)
    let record = VirtualScenarioRunner(scenario: played, folder: folder, program: program).run(strategy)
    let outcome = ScenarioOutcome(of: played, file.source, strategy: strategy, clock: .virtual, record)
    #expect(outcome.failures.map(\.message) == [], "\(strategy), \(fault?.rawValue ?? "well")")
    return record.events
  }

  @Test(
    "Each system's scenario holds with its program and strategies", arguments: SystemExample.all)
  func holds(_ example: SystemExample) throws {
    for strategy in Self.strategies { #expect(try run(example, strategy).count > 10) }
  }

  @Test(
    "Each fault shows on a page, and the final pages are complete",
    arguments: SystemExample.all, SystemFault.allCases)
  func recovers(_ example: SystemExample, _ fault: SystemFault) throws {
    // One that sees status and header fields, and one that does not: `FaultTests` has all of them.
    for strategy in ["dataTask", "blocking"] {
      let (well, spoilt) = (try run(example, strategy), try run(example, strategy, fault))
      #expect(wrong(spoilt) > wrong(well), "\(strategy)")
      #expect(shown(spoilt).isSuperset(of: shown(well)), "\(strategy)")
    }
  }

  @Test(
    "A short deadline ends stalls, and shortens no other request",
    arguments: SystemExample.all)
  func stall(_ example: SystemExample) throws {
    let quick = try run(example, "async", .stall)
    #expect(try #require(quick.last).time < .seconds(10))
    // On a machine that is this busy only the answers that stall are given up.
    let busy = try run(example, "async", .stall, latency: .seconds(20))
    #expect(wrong(busy) == wrong(quick))
    #expect(shown(busy) == shown(quick))
    let errors = Set(busy.compactMap { $0[.error] })
    #expect(
      errors.contains("timedOut")
        && errors.isSubset(of: ["timedOut", "cancelled", "blockedByTransportPolicy", "invalidURL"]))
  }

  @Test("Each system's property list has valid settings for its pages", arguments: SystemExample.all)
  func settings(_ example: SystemExample) throws {
    let file = Self.resources.appending(path: "settings/\(example.name).plist")
    try example.system.validate(ServiceConfiguration(contentsOf: file))
  }

  private func wrong(_ events: [RunEvent]) -> Int {
    events.count { $0.kind == .fetchFailed || $0.kind == .pageShow && $0[.error] != nil }
  }

  /// What was shown, whenever that was.
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
