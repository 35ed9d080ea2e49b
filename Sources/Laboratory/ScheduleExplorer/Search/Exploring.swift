import PlainText
import SeededNumbers
import VirtualTime

/// A search in progress.
struct Exploring {
  /// The first failure, before minimizing.
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
  /// The outcome of the last schedule.
  private(set) var lastEnding = ""
  private(set) var found: Found?
  /// The maximum number of choices in any run so far.
  private var maximumChoices = 1
  /// The number of schedules that ran before the bounded search.
  private var unbounded = 0
  private var boundedSchedules: Int { statistics.schedules - unbounded }
  /// The number of schedules that the bounded search has run, indexed by cost.
  private var levels: [Int] = []
  /// The number of items that follow from each item in the first-in, first-out run, including the item itself.
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
    case .fifo: _ = attempt(DeviationPolicy(), .fifo)
    case .bounded(let bound): runBounded(.max, bound)
    case .mixed:
      runBounded(budget.left / 3, .max)
      runAtRandom([.random, .pct(depth: 2), .pct(depth: 3)])
    case .random, .walk, .pct, .pos: runAtRandom([explorer.search])
    }
    statistics.duration = start.duration(to: .now)
  }

  private var isDone: Bool { found != nil && explorer.stopsAtFailure }

  /// Runs one schedule. Returns false if the budget is used up or if a failure ends the search.
  mutating func attempt(_ policy: any SearchPolicy, _ search: Search) -> Bool {
    guard !isDone, budget.take() else { return false }
    let verdict = trial.run(policy)
    lastEnding = Self.ending(of: verdict)
    let director = trial.director
    if statistics.schedules.isMultiple(of: Self.progressInterval) { explorer.onProgress?(statistics.schedules) }
    statistics.add(verdict, director.deviations, choices: director.counts.count)
    if case .random = search { statistics.estimate.add(director.counts) }
    maximumChoices = max(maximumChoices, director.counts.count)
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
    var search = BoundedSearch(bound: bound, shard: explorer.shard, maximumNodes: explorer.maximumNodes)
    unbounded = statistics.schedules
    // Every shard needs the choices of the first schedule, but only one shard counts that schedule.
    if explorer.shard.number == 1 {
      guard attempt(DeviationPolicy(), .fifo) else {
        // Without a budget, no schedule has run, so no bound is certain.
        if statistics.schedules > unbounded { noteBound(0) }
        return
      }
    } else {
      _ = trial.run(DeviationPolicy())
    }
    search.expand(BoundedSearch.root, counts: trial.director.counts)
    levels = [boundedSchedules]
    noteBound(0)
    while let level = search.nextLevel() {
      let cost = search.cost - 1
      guard boundedSchedules + level.count <= share else { return }
      let before = statistics.schedules
      for node in level {
        guard attempt(DeviationPolicy(search.schedule(of: node)), .bounded(cost)) else { return }
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
    // The run numbers are divided among the shards.
    var run = explorer.shard.number - 1
    while true {
      let search = searches[run % searches.count]
      guard attempt(policy(search, run), search) else { return }
      run += explorer.shard.count
    }
  }

  private func policy(_ search: Search, _ run: Int) -> any SearchPolicy {
    var generator = SplitMix64(seed: explorer.seed, run: run)
    switch search {
    case .random: return RandomPolicy(generator)
    case .walk: return WalkPolicy(generator, sizes: sizes)
    case .pos: return POSPolicy(seed: generator.next())
    case .pct(let depth): return PCTPolicy(generator, depth: depth, choices: maximumChoices)
    case .exhaustive, .fifo, .bounded, .mixed: preconditionFailure("\(search) makes no random choices")
    }
  }

  private mutating func measure() {
    let recorder = Recorder()
    _ = trial.run(DeviationPolicy(), recorder)
    let items = recorder.steps.map(\.item)
    var following: [Int: Int] = [:]
    // An item runs after the item that caused it.
    for item in items.reversed() {
      let size = 1 + (following[item.number] ?? 0)
      sizes[item.identity] = size
      if let cause = item.cause { following[cause, default: 0] += size }
    }
  }
}

/// The exhaustive search, which runs one schedule of each equivalence class.
extension Exploring {
  private static let auditedRuns = 20
  private static let auditsPerRun = 10

  mutating func runClasses() {
    let sets = SleepSets()
    var reduction = Statistics.Reduction()
    reduction.unit = explorer.unit
    var generator = SplitMix64(seed: explorer.seed, run: 0)
    defer { statistics.reduction = reduction }
    repeat {
      guard attempt(sets, .exhaustive) else { return }
      if sets.hasDiverged { return }
      if sets.isBlocked {
        reduction.redundant += 1
        continue
      }
      reduction.classes += 1
      // Consecutive classes are similar, so only a few of the later ones are checked.
      guard reduction.classes <= Self.auditedRuns || reduction.classes.nonzeroBitCount == 1 else { continue }
      reduction.lie = lie(in: sets, &reduction.audited, &generator)
      if reduction.lie != nil { return }
    } while sets.advance()
    reduction.isEverything = true
  }

  /// Swaps one pair of independent neighbors after another. As a result, items that are not neighbors in this run also
  /// become neighbors.
  private func lie(in run: SleepSets, _ audited: inout Int, _ generator: inout SplitMix64) -> String? {
    var (run, last) = (run, -1)
    for _ in 0..<Self.auditsPerRun {
      let pairs = run.independentNeighbours.filter { $0 != last }
      guard !pairs.isEmpty else { return nil }
      last = pairs[generator.next(below: pairs.count)]
      audited += 1
      let audit = audit(run.sequence, swapping: last, lastEnding)
      if let lie = audit.lie { return lie }
      run = audit.run
    }
    return nil
  }

  /// Runs the items again with two neighbors swapped. If the run then ends differently, the result names the two items.
  private func audit(
    _ sequence: [UInt64], swapping first: Int, _ ending: String
  ) -> (run: SleepSets, lie: String?) {
    var swapped = sequence
    swapped.swapAt(first, first + 1)
    let (sets, recorder) = (SleepSets(following: swapped), Recorder())
    let other = Self.ending(of: trial.run(sets, recorder))
    guard other != ending || sets.hasDiverged else { return (sets, nil) }
    let names = [sequence[first], sequence[first + 1]].map { identity in
      recorder.steps.first { $0.item.identity == identity }.map { "“\($0.name)” on \($0.item.scheduler.label)" }
        ?? "an item"
    }
    return (
      sets,
      "\(names[0]) and \(names[1]) access something that they do not declare: after a swap, the run ends differently"
    )
  }
}
