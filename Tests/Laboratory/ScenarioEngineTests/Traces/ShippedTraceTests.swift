import Foundation
import OriginServer
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// The traces and diagrams of the shipped scenarios.
@Suite(.computing) struct ShippedTraceTests {
  /// Each scenario in the folder and below it, by its relative path.
  static let names = {
    let folder = packageRoot.appending(path: "scenarios")
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") }.sorted()
  }()

  private func scenario(_ name: String) throws -> (scenario: Scenario, folder: URL) {
    let path = packageRoot.appending(path: "scenarios/\(name)")
    return (try #require(try ScenarioFile(path: path.path).scenario), path.deletingLastPathComponent())
  }

  private func record(_ name: String, _ strategy: String) throws -> RunRecord {
    let (scenario, folder) = try scenario(name)
    return VirtualScenarioRunner(scenario: scenario, folder: folder, tracesClosures: true).run(strategy)
  }

  @Test("The list of scenarios contains the files in the folder")
  func found() {
    #expect(Self.names.contains("late-response.json"))
  }

  /// By default, every third scenario runs, with one of its strategies: these take turns.
  @Test(
    "Every scenario has a complete trace and a valid diagram",
    arguments: LongTests.some(of: Array(names.indices), every: 3))
  func traces(_ number: Int) throws {
    let name = Self.names[number]
    let planned = try scenario(name).scenario.plannedStrategies
    for strategy in LongTests.areEnabled ? planned : [planned[number % planned.count]] {
      let record = try record(name, strategy)
      expectDiagram(of: record.events)
      let check = try WrittenTrace(record).check
      #expect(check.problems == [], "\(strategy)")
      // A run that was cut off did not release its subscriptions.
      guard record.termination == nil else { continue }
      let live = check["C"].last { $0.name == "live subscriptions" }
      #expect(live?.args?.value == record.leaks.subscriptions, "\(strategy)")
    }
  }

  private func expectDiagram(of events: [RunEvent]) {
    var lines = MermaidDiagram(events: events).lines[...]
    #expect(lines.popFirst() == "sequenceDiagram")
    var lanes: Set<Substring> = []
    let (participant, note) = (#/  participant (\w+)/#, #/  Note over (\w+): [^#;]*\S *$/#)
    let arrow = #/  (\w+)(?:->>|-->>)(\w+): [^#;]*\S *$/#
    while let lane = lines.first?.wholeMatch(of: participant)?.1 {
      #expect(lanes.insert(lane).inserted)
      lines.removeFirst()
    }
    #expect(lines.count == events.count)
    for line in lines {
      if let message = line.wholeMatch(of: arrow) {
        #expect(lanes.isSuperset(of: [message.1, message.2]), "\(line)")
      } else {
        #expect(line.wholeMatch(of: note).map { lanes.contains($0.1) } == true, "\(line)")
      }
    }
  }
}

extension RunsOverSockets {
  @Suite struct RealTraceTests {
    @Test("A trace of a run on the real clock is well-formed", arguments: Vocabulary.shipped.strategies)
    func real(_ strategy: String) async throws {
      let path = packageRoot.appending(path: "scenarios/late-response.json").path
      let scenario = try #require(try ScenarioFile(path: path).scenario)
      let origin = try OriginServer(content: OriginContent())
      let record = await ScenarioRunner(
        scenario: scenario, folder: packageRoot, origin: origin, runtime: UncrowdedRuntime(),
        timeout: .seconds(120), tracesClosures: true
      ).run(strategy)
      let step = record.events[try #require(record.marks.last).position].time
      // After the last step, the scenario waits in a task until the bus is idle.
      let tasks = record.activity.closures.filter { $0.scheduler == "tasks" && $0.enqueued < step }
      #expect(tasks.isEmpty == (strategy != "async"))
      #expect(try WrittenTrace(record).check.problems == [])
    }
  }
}
