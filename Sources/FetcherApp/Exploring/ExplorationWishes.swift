import ScenarioFormat
import ScheduleExplorer

/// What the flags of `explore` ask for instead of what the files say.
struct ExplorationWishes: Sendable {
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
    strategies = try StrategyNames.several(arguments)
    variant = arguments["--variant"]
    schedules = try arguments.number("--budget", in: 1...1_000_000_000)
    time = try arguments.number("--seconds", in: 1...1_000_000).map { .seconds($0) }
    bound = try arguments.number("--bound", in: 0...100)
    smallScope = try arguments.number("--small-scope", in: 1...6)
    seed = UInt64(try arguments.number("--seed", in: Scenario.seeds, or: 1))
    if let text = arguments["--shard"] {
      guard let shard = Shard(text) else { throw UsageError("--shard takes I/N such as 2/4, not \"\(text)\"") }
      self.shard = shard
    } else {
      shard = .whole
    }
    if let text = arguments["--replay"] {
      do throws(Token.Malformed) {
        token = try Token(parsing: text)
      } catch {
        throw UsageError("--replay takes a token, not \"\(text)\": \(error)")
      }
      let others = ["--budget", "--seconds", "--bound", "--seed", "--shard", "--small-scope"]
      if let flag = others.first(where: { arguments[$0] != nil }) {
        throw UsageError("\(flag) is for a search, and --replay runs one schedule")
      }
    } else {
      token = nil
    }
    if smallScope != nil, shard != .whole {
      throw UsageError("--small-scope searches many scenarios, and does not go with --shard")
    }
    isLoose = arguments.has("--loose")
    if isLoose, token == nil { throw UsageError("--loose goes with --replay TOKEN") }
  }
}
