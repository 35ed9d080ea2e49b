package import CommandLineTool
import Foundation
import OriginServer
import PlainText
import RunPages
import ScenarioEngine
import ScenarioFormat

/// The walks of `fetcher demo` as scenarios: the one that a page plays back, and the one of `--all`.
package struct DemoScenarios: Sendable {
  /// The scenario files, in the same folder as their pictures.
  enum Walk: String, CaseIterable {
    /// The walk that the demo prints.
    case walk = "demo-walk.json"
    /// The scenario that runs once for each timeline printed with `--all`.
    case all = "demo.json"
  }

  private let pages: PageOutput
  private let context: CommandContext

  /// Returns the page that the arguments request, or nil.
  ///
  /// - Throws: a failure with code 4 if the page could not be written.
  package static func page(_ arguments: ParsedArguments, _ context: CommandContext) throws -> DemoScenarios? {
    try PageOutput(arguments, context).map { DemoScenarios(pages: $0, context: context) }
  }

  /// Plays the walk and writes its page. Returns whether the scenario holds and the page was written.
  package func write() async throws -> Bool {
    let (file, scenario, record, outcome) = try await Self.play(.walk, nil, context)
    let run = PageRunBuilder.page(id: "walk", name: "walk", record, nil, outcome, scenario, file.source)
    let page = RunPage(
      title: scenario.shownTitle, subtitle: "fetcher demo · real clock", runs: [run],
      files: [PageFile(file.source, path: Walk.walk.rawValue)])
    return pages.write(page) && outcome.ok
  }

  /// Prints the timeline of the other scenario once for each strategy, and returns whether the scenario holds.
  package static func printTimelines(of strategies: [String], _ context: CommandContext) async throws -> Bool {
    var isRight = true
    for strategy in strategies {
      let (_, scenario, record, outcome) = try await play(.all, strategy, context)
      context.output.line(context.output.style(.bold, "\(strategy): \(scenario.title)"))
      let lines = Timeline(record, outcome).lines { context.output.style(.bold, $0) }
      for line in lines { context.output.line(line) }
      context.output.line()
      isRight = isRight && outcome.ok
    }
    return isRight
  }

  private static func play(
    _ walk: Walk, _ strategy: String?, _ context: CommandContext
  ) async throws -> (ScenarioFile, Scenario, RunRecord, ScenarioOutcome) {
    let folder = try context.resources.folder("pictures")
    let file = try ScenarioPaths.read(folder.appending(path: walk.rawValue).path)
    let scenario = try file.valid(context.notes)
    let strategy = strategy ?? scenario.strategies[0]
    let origin = try context.startOrigin()
    let record = await ScenarioRunner(scenario: scenario, folder: folder, origin: origin, showsBus: true).run(strategy)
    let outcome = ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .real, record)
    for failure in outcome.failures {
      context.notes.line(context.notes.style(.red, "broken:") + " \(strategy): \(visible(failure.message))")
    }
    return (file, scenario, record, outcome)
  }
}
