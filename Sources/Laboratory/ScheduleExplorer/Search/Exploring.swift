import Bytes
import VirtualTime

/// One search.
struct Exploring {
  /// The first failure, as it was found.
  struct Found {
    let finding: Finding
    let deviations: [Deviations.Deviation]
    let search: Search
    let schedules: Int
  }

  private static let progressInterval = 64

  let explorer: Explorer
  let trial: Trial
  private let start = ContinuousClock.now
  private var budget: Budget
  var statistics = Statistics()
  /// What the last schedule led to.
  private(set) var lastEnding = ""
  private(set) var found: Found?
  /// Of the longest run so far.
  private var mostChoices = 1
  /// How many schedules had run before the bounded search.
  private var unbounded = 0
  private var boundedSchedules: Int { statistics.schedules - unbounded }
  /// How many schedules of each cost the bounded search has run.
  private var levels: [Int] = []
  /// How many items follow from each, itself included, first in, first out.
  private var sizes: [UInt64: Int] = [:]

  init(_ explorer: Explorer, _ trial: Trial) {
    self.explorer = explorer
    self.trial = trial
    let (share, rest) = explorer.schedules.quotientAndRemainder(dividingBy: explorer.shard.count)
    statistics.unit = explorer.unit
    budget = Budget(
      schedules: share + (explorer.shard.number <= rest ? 1 : 0), time: explorer.time, isStopped: explorer.isStopped)
  }

  mutating func run() {
    switch explorer.search {
    case .exhaustive:
      if explorer.shard.number == 1 { runClasses() }
      if statistics.reduction?.lie != nil { runBounded(.max, .max) }
    case .fifo: _ = attempt(.written([]), .fifo)
    case .bounded(let bound): runBounded(.max, bound)
    case .mixed:
      runBounded(budget.left / 3, .max)
      runAtRandom([.random, .pct(depth: 2), .pct(depth: 3)])
    case .random, .walk, .pct, .pos: runAtRandom([explorer.search])
    }
    statistics.duration = start.duration(to: .now)
  }

  private var isDone: Bool { found != nil && explorer.stopsAtFailure }

  /// Runs one schedule. False when the budget is used up, or a failure ends the search.
  mutating func attempt(_ rule: Director.Rule, _ search: Search) -> Bool {
    guard !isDone, budget.take() else { return false }
    let verdict = trial.run(rule)
    lastEnding = Self.ending(of: verdict)
    let director = trial.director
    if statistics.schedules.isMultiple(of: Self.progressInterval) { explorer.onProgress?(statistics.schedules) }
    statistics.add(verdict, director.deviations, choices: director.counts.count)
    if case .random = search { statistics.estimate.add(director.counts) }
    mostChoices = max(mostChoices, director.counts.count)
    if let finding = verdict.finding, found == nil {
      statistics.timeToFirstFailure = start.duration(to: .now)
      found = Found(
        finding: finding, deviations: director.deviations, search: search, schedules: statistics.schedules)
    }
    return !isDone
  }

  static func ending(of verdict: Verdict) -> String { verdict.finding?.message ?? verdict.outcome }

  // MARK: Bounded

  private mutating func runBounded(_ share: Int, _ bound: Int) {
    var search = BoundedSearch(bound: bound, shard: explorer.shard, mostNodes: explorer.mostNodes)
    unbounded = statistics.schedules
    // Every shard needs to know the choices of the first schedule, but only one counts it.
    if explorer.shard.number == 1 {
      guard attempt(.written([]), .fifo) else {
        // Without a budget nothing has run, and there is no fact.
        if statistics.schedules > unbounded { noteBound(0) }
        return
      }
    } else {
      _ = trial.run(.written([]))
    }
    search.expand(BoundedSearch.root, counts: trial.director.counts)
    levels = [boundedSchedules]
    noteBound(0)
    while let level = search.nextLevel() {
      let cost = search.cost - 1
      guard boundedSchedules + level.count <= share else { return }
      let before = statistics.schedules
      for node in level {
        guard attempt(.written(search.schedule(of: node)), .bounded(cost)) else { return }
        search.expand(node, counts: trial.director.counts)
      }
      guard search.remembersAll(upTo: cost) else { continue }
      while levels.count < cost { levels.append(0) }
      levels.append(statistics.schedules - before)
      noteBound(cost)
    }
    let last = bound == .max ? search.cost - 1 : bound
    if search.remembersAll(upTo: last) { noteBound(last, isEverything: search.isEverything) }
  }

  private mutating func noteBound(_ cost: Int, isEverything: Bool = false) {
    statistics.bound = Statistics.Bound(
      deviations: cost, schedules: boundedSchedules, isEverything: isEverything, isOfShard: explorer.shard != .whole,
      levels: levels, unit: explorer.unit)
  }

  // MARK: At random

  private mutating func runAtRandom(_ searches: [Search]) {
    guard !isDone, statistics.bound?.isEverything != true else { return }
    if searches.contains(.walk) { measure() }
    // The numbers of runs are divided among the shards.
    var run = explorer.shard.number - 1
    while true {
      let search = searches[run % searches.count]
      guard attempt(rule(search, run), search) else { return }
      run += explorer.shard.count
    }
  }

  private func rule(_ search: Search, _ run: Int) -> Director.Rule {
    var generator = SplitMix64(seed: explorer.seed, run: run)
    switch search {
    case .random: return .random(generator)
    case .walk: return .walk(generator, sizes)
    case .pos: return .pos(seed: generator.next())
    case .pct(let depth):
      let changes = (0..<max(0, depth - 1)).map { _ in generator.next(below: mostChoices) }
      return .pct(seed: generator.next(), changes: Array(Set(changes)).sorted())
    case .exhaustive, .fifo, .bounded, .mixed: return .written([])
    }
  }

  private mutating func measure() {
    let recorder = Recorder()
    _ = trial.run(.written([]), recorder)
    let items = recorder.steps.map(\.item)
    var following: [Int: Int] = [:]
    // What follows from an item runs after it.
    for item in items.reversed() {
      let size = 1 + (following[item.number] ?? 0)
      sizes[item.identity] = size
      if let cause = item.cause { following[cause, default: 0] += size }
    }
  }
}
