import EventBus
import Foundation
import ScenarioEngine
import ScenarioFormat
import ScheduleExplorer
import VirtualTime

/// `fetcher explore`: searches for the order of events that breaks a scenario.
enum ExploreCommand {
  static let command = Command(
    name: "explore", summary: "searches for the order of events that breaks a scenario", arguments: "FILE...",
    options: [
      StrategyNames.option,
      CommandOption("--variant", "NAME", "only this variant; by default those of the file"),
      CommandOption("--budget", "N", "how many schedules of each run; by default those of the file, or 10000"),
      CommandOption("--seconds", "N", "how long each search may take; by default as long as it needs"),
      CommandOption("--bound", "N", "all schedules with at most N deviations, instead of the mixed search"),
      CommandOption(
        "--small-scope", "N", "all scenarios of at most N of the file's steps, with --bound 2 unless that is given"),
      CommandOption("--seed", "N", "what decides everything random in the search; by default 1"),
      CommandOption("--shard", "I/N", "the I-th of N parts of the search"),
      CommandOption("--replay", "TOKEN", "the schedule of a token instead of a search; one file and one strategy"),
      CommandOption("--loose", nil, "follow the token as far as it goes, to try it on another version"),
      CommandOption("--smaller", nil, "say which steps and images of the scenario a failure does not need"),
      CommandOption("--step", nil, "be the scheduler yourself, at each choice; one file and one strategy"),
      CommandOption("--merge", nil, "put the JSON reports of all shards together, which are the files then"),
      CommandOption("--json", nil, "the findings as JSON"),
      CommandOption("--schema", nil, "the JSON Schema of --json instead"),
      CommandOption("--junit", "FILE", "the findings for a build server as well"),
      CommandOption("--mermaid", nil, "the failing run as a Mermaid sequence diagram"),
      CommandOption("--trace", "FILE", "the failing runs as a trace for Perfetto or Chrome"),
      CommandOption("--quiet", nil, "only what failed"),
    ],
    example: "fetcher explore scenarios/late-response.json --strategy all --budget 2000", run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    if arguments.has("--schema") {
      context.output.line(ExplorationSchema.text)
      return .success
    }
    guard !arguments.arguments.isEmpty else { throw UsageError("explore needs FILE...") }
    let wishes = try ExplorationWishes(arguments)
    _ = try arguments.shape(of: "explore", ["--json", "--mermaid"])
    if arguments.has("--merge") { return try merge(arguments, context) }
    let files = try ScenarioPaths.readAll(arguments.arguments)
    try ScenarioPaths.validate(files, context.notes)
    let searches = files.flatMap { ScenarioSearch.all($0, wishes) }
    guard !searches.isEmpty else { throw UsageError("there is no such variant in these files") }
    if wishes.token != nil, searches.count > 1 {
      throw UsageError(
        "--replay takes one file, one --strategy and one --variant, and these are \(searches.count) runs")
    }
    if arguments.has("--step") { return try step(searches, arguments, context) }
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
      if let length = wishes.smallScope {
        let smallScope = try SmallScopeSearch(search, upTo: length, wishes, runtime)
        let outcome = stop.during { smallScope.run(stop, searchProgress) }
        progress.clear()
        report.add(outcome, nil, isWhole: !stop.isGiven)
        if stop.isGiven { break }
        continue
      }
      do throws(ReplayMismatch) {
        let exploration = try stop.during { () throws(ReplayMismatch) in
          try search.run(wishes, stop, searchProgress)
        }
        progress.clear()
        var outcome = ExplorationOutcome(search, exploration, wishes)
        if arguments.has("--smaller"), !stop.isGiven, let failure = exploration.failure {
          outcome.add(SmallerScenario(search, failure), of: search)
        }
        report.add(
          outcome,
          exploration.failure.flatMap { report.showsRuns ? search.record(of: $0) : nil }, isWhole: !stop.isGiven)
        if stop.isGiven { break }
      } catch {
        progress.end()
        context.shutdown.forget(key)
        throw CommandFailure(code: .replayDiverged, message: "\(search.path): \(error.description)")
      }
    }
    if stop.isGiven {
      stop.obey()
      context.shutdown.leave(.interrupted)
    }
    progress.end()
    return try report.finish()
  }

  private static func step(
    _ searches: [ScenarioSearch], _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitCode {
    let others = [
      "--json", "--mermaid", "--smaller", "--small-scope", "--budget", "--seconds", "--bound", "--seed", "--shard",
      "--replay", "--trace", "--junit", "--quiet",
    ]
    if let flag = others.first(where: { arguments.has($0) || arguments[$0] != nil }) {
      throw UsageError("\(flag) is for a search, and --step is none")
    }
    guard searches.count == 1 else {
      throw UsageError("--step takes one file, one --strategy and one --variant, and these are \(searches.count) runs")
    }
    let (search, output) = (searches[0], context.output)
    let verdict = StepSession(output, judge: search.judge).run { verdict, deviations in
      let fails = verdict.finding.map { "fails: \($0)" }
      output.line("The run \(fails ?? "passes").")
      output.line("replay: fetcher explore \(search.path) --strategy \(search.strategy) --replay E1.\(deviations)")
    }
    return verdict?.finding == nil ? .success : .failed
  }

  private static func merge(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
    let others = [
      "--strategy", "--variant", "--budget", "--seconds", "--bound", "--small-scope", "--seed", "--shard", "--replay",
      "--trace",
    ]
    if let flag = others.first(where: { arguments[$0] != nil }) ?? (arguments.has("--mermaid") ? "--mermaid" : nil) {
      throw UsageError("\(flag) is for a search, and --merge runs none")
    }
    let report = ExplorationReport(arguments: arguments, context: context)
    let results = try arguments.arguments.map { (path) throws(CommandFailure) in try ExplorationResults(path: path) }
    for outcome in try ExplorationResults.merge(results).runs { report.add(outcome, nil) }
    return try report.finish()
  }
}
