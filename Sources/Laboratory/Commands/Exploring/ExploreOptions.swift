import CommandLineTool
import PlainText
import ScenarioEngine
import ScenarioFormat
import ScheduleExplorer

/// The settings from the flags of `explore`, which override the settings in the files.
struct ExploreOptions: Sendable {
  static let variant = CommandOption("--variant", "NAME", "only this variant; by default those in the file")
  static let budget = CommandOption(
    "--budget", "N", "the maximum number of schedules per search; by default the file's number, or 10000")
  static let seconds = CommandOption("--seconds", "N", "the time limit of each search; by default unlimited")
  static let bound = CommandOption(
    "--bound", "N",
    "run all schedules with at most N deviations; by default the file's search method, or a mix of methods")
  static let smallScope = CommandOption(
    "--small-scope", "N", "search all scenarios that consist of at most N of the file's steps; implies --bound 2")
  static let seed = CommandOption("--seed", "N", "the seed for random choices in the search; by default 1")
  static let shard = CommandOption("--shard", "I/N", "the I-th of N parts of the search")
  static let replay = CommandOption(
    "--replay", "TOKEN", "run the schedule that the token describes; requires one file and one strategy")
  static let loose = CommandOption(
    "--loose", "with --replay: follow the token as far as possible, for a program that has changed")
  static let smaller = CommandOption("--smaller", "report the steps and images that a failure does not need")
  static let step = CommandOption("--step", "choose each next item yourself; requires one file and one strategy")
  static let merge = CommandOption("--merge", "merge the JSON reports of all shards; pass the reports as FILE")
  static let json = ResultOptions.json.saying("the findings as JSON")
  static let schema = CommandOption("--schema", "print the JSON Schema for the output of --json instead")
  static let junit = ResultOptions.junit.saying("also write the findings as JUnit XML")
  static let mermaid = ResultOptions.mermaid.saying("the failing run as a Mermaid sequence diagram")
  static let trace = ResultOptions.trace.saying("also write the failing runs as a trace for Perfetto or Chrome")

  /// The options that apply only to a search.
  static let ofSearch = [budget, seconds, bound, smallScope, seed, shard, replay]

  /// All options, in help order.
  static let all = [
    StrategyOption.program.option, variant, budget, seconds, bound, smallScope, seed, shard, replay, loose, smaller,
    step, merge,
    json, schema, junit, mermaid, trace, ExplorationPage.option, ResultOptions.quiet,
  ]

  private static let timing = "set it in the file, such as \"timing\": {\"slack\": \"100ms\"}"
  /// Settings of the file, not of the command.
  static let foreignFlags = ["--slack": timing, "--timing": timing]

  let strategies: [String]?
  let variant: String?
  let schedules: Int?
  let time: Duration?
  let bound: Int?
  let smallScope: Int?
  let seed: UInt64
  let shard: Shard
  let token: Token?
  let isLoose: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    strategies = try StrategyOption.program.several(arguments)
    variant = arguments[Self.variant]
    if let text = arguments[Self.budget], let time = Duration(spelled: text) {
      let seconds = max(1, Int((time / .seconds(1)).rounded(.up)))
      throw UsageError("--budget counts schedules; for a time, write --seconds \(seconds)")
    }
    schedules = try arguments.number(Self.budget, in: 1...1_000_000_000)
    time = try arguments.number(Self.seconds, in: 1...1_000_000).map { .seconds($0) }
    bound = try arguments.number(Self.bound, in: 0...100)
    smallScope = try arguments.number(Self.smallScope, in: 1...6)
    seed = UInt64(try arguments.number(Self.seed, in: Scenario.seeds, or: 1))
    if let text = arguments[Self.shard] {
      guard let shard = Shard(text) else {
        throw UsageError("--shard takes I/N with I from 1 to N, such as 2/4, not \"\(text)\"")
      }
      self.shard = shard
    } else {
      shard = .whole
    }
    if let text = arguments[Self.replay] {
      do throws(Token.Malformed) {
        token = try Token(parsing: text)
      } catch {
        throw UsageError("--replay takes a token that `fetcher explore` printed, not \"\(text)\": \(error)")
      }
      let others = [Self.budget, Self.seconds, Self.bound, Self.seed, Self.shard, Self.smallScope]
      if let other = others.first(where: arguments.has) {
        throw UsageError("\(other.name) cannot be combined with --replay, which runs a single schedule")
      }
    } else {
      token = nil
    }
    if smallScope != nil, shard != .whole {
      throw UsageError("--small-scope searches many scenarios, and cannot be combined with --shard")
    }
    isLoose = arguments.has(Self.loose)
    if isLoose, token == nil { throw UsageError("--loose works only with --replay TOKEN") }
  }
}
