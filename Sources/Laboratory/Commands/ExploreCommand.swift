import CommandLineTool
import EventBus
import Foundation
import RunPages
import ScenarioEngine
import ScenarioFormat
import ScheduleExplorer
import VirtualTime

/// `fetcher explore`: searches for an order of events that breaks a scenario.
enum ExploreCommand {

  static let command = Command(
    name: "explore", summary: "searches for the order of events that breaks a scenario", arguments: "FILE...",
    options: ExploreOptions.all, foreignFlags: ExploreOptions.foreignFlags,
    example: "fetcher explore scenarios/late-response.json --strategy all --budget 2000", run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    if arguments.has(ExploreOptions.schema) {
      context.output.line(ExplorationSchema.text)
      return .success
    }
    guard !arguments.arguments.isEmpty else {
      throw UsageError("explore needs at least one scenario FILE, such as scenarios/late-response.json")
    }
    let options = try ExploreOptions(arguments)
    _ = try arguments.shape(of: "explore", [ExploreOptions.json, ExploreOptions.mermaid])
    if arguments.has(ExploreOptions.merge) { return try merge(arguments, context) }
    let files = try ScenarioPaths.readAll(arguments.arguments)
    try ScenarioPaths.validate(files, context.notes)
    try ScenarioPaths.validate(
      [ExploreOptions.trace, ExploreOptions.junit, PageOutput.option], of: arguments, writtenBeside: files)
    let searches = files.flatMap { ScenarioSearch.all($0, options) }
    if searches.isEmpty, let variant = options.variant {
      let known = Set(files.compactMap(\.scenario).flatMap(\.variants)).sorted()
      throw UsageError.unknown("variant", variant, among: known)
    }
    if options.token != nil, searches.count > 1 {
      throw several(searches, "--replay")
    }
    if arguments.has(ExploreOptions.step) { return try step(searches, arguments, context) }
    var pages = try PageOutput(arguments, context)
    pages?.isQuiet = arguments.has(ExploreOptions.json) || arguments.has(ExploreOptions.mermaid)
    var page: RunPage?
    let report = ExplorationReport(arguments: arguments, context: context)
    let runtime = DispatchRuntime.shared
    let (progress, stop) = (ProgressLine(runtime, expected: Double(searches.count), inSeconds: false), StopSignal())
    let key = context.shutdown.atEnd {
      stop.give()
      progress.end()
      report.interrupt(planned: searches.count)
    }
    defer { stop.obey() }
    let searchProgress = { (name: String, schedules: Int, time: Duration?) in
      SearchProgress(name, on: progress, runtime, schedules: schedules, time: time)
    }
    for search in searches {
      if let length = options.smallScope {
        let smallScope = try SmallScopeSearch(search, upTo: length, options, runtime)
        let outcome = stop.during { smallScope.run(stop, searchProgress) }
        progress.clear()
        report.add(outcome, nil, isWhole: !stop.isGiven)
        if stop.isGiven { break }
        continue
      }
      do throws(ReplayMismatch) {
        let exploration = try stop.during { () throws(ReplayMismatch) in
          try search.run(options, stop, searchProgress)
        }
        progress.clear()
        var outcome = ExplorationOutcome(search, exploration, options)
        if arguments.has(ExploreOptions.smaller), !stop.isGiven, let failure = exploration.failure {
          outcome.add(SmallerScenario(search, failure), of: search)
        }
        if pages != nil { outcome.failure?.story = exploration.failure.flatMap(search.story) }
        report.add(
          outcome,
          exploration.failure.flatMap { report.showsRuns ? search.record(of: $0) : nil }, isWhole: !stop.isGiven)
        if pages != nil, page == nil { page = ExplorationPage.page(search, exploration, token: options.token) }
        if stop.isGiven { break }
      } catch {
        progress.end()
        context.shutdown.forget(key)
        throw CommandFailure(
          code: .replayDiverged,
          message: "--replay: the token does not fit \(search.path) (\(search.strategy), \(search.variant)): "
            + error.description)
      }
    }
    if stop.isGiven {
      stop.obey()
      context.shutdown.leave(.interrupted)
    }
    progress.end()
    let code = try report.finish()
    guard let pages else { return code }
    guard let page else {
      let advice = "`fetcher run --html` writes a page for an ordinary run"
      context.notes.line("--html: no schedule fails, so no page was written; \(advice)")
      return code
    }
    return pages.write(page) || code != .success ? code : .cannotStart
  }

  /// Returns the error for a flag that needs a single search.
  private static func several(_ searches: [ScenarioSearch], _ flag: String) -> UsageError {
    let names = searches.prefix(3).map(\.name).joined(separator: "; ") + (searches.count > 3 ? "; …" : "")
    return UsageError(
      "\(flag) requires a single run, but these arguments select \(searches.count) (\(names)); "
        + "name one file, one --strategy and one --variant")
  }

  private static func step(
    _ searches: [ScenarioSearch], _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitCode {
    let others =
      [ExploreOptions.json, ExploreOptions.mermaid, ExploreOptions.smaller, ExploreOptions.smallScope]
      + ExploreOptions.ofSearch
      + [ExploreOptions.trace, ExploreOptions.junit, ExplorationPage.option, ResultOptions.quiet]
    if let other = others.first(where: arguments.has) {
      throw UsageError("\(other.name) applies to a search, but --step does not search")
    }
    guard searches.count == 1 else {
      throw several(searches, "--step")
    }
    let (search, output) = (searches[0], context.output)
    let verdict = StepSession(output, judge: search.judge).run { verdict, deviations in
      let fails = verdict.finding.map { "fails: \($0)" }
      output.line("The run \(fails ?? "passes").")
      output.line("replay: " + search.command(replaying: "E1.\(deviations)"))
    }
    return verdict?.finding == nil ? .success : .failed
  }

  private static func merge(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
    let others =
      [StrategyOption.program.option, ExploreOptions.variant] + ExploreOptions.ofSearch + [
        ExploreOptions.trace, ExploreOptions.mermaid, ExplorationPage.option,
      ]
    if let other = others.first(where: arguments.has) {
      throw UsageError("\(other.name) applies to a search, but --merge does not search")
    }
    let report = ExplorationReport(arguments: arguments, context: context)
    let results = try arguments.arguments.map { (path) throws(CommandFailure) in try ExplorationResults(path: path) }
    for outcome in try ExplorationResults.merge(results).runs { report.add(outcome, nil) }
    return try report.finish()
  }
}
