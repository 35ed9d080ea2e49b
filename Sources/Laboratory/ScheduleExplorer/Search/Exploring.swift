import PlainText
import SeededNumbers
import VirtualTime

/// A search in progress.
struct Exploring {
  /// The first failure, before minimizing.
  struct Found {
    let finding: Finding
    let schedule: Deviations
    let search: Search
    let schedules: Int
  }

  private static let progressInterval = 64

  let explorer: Explorer
  let runner: ProgramRunner
  private let start = ContinuousClock.now
  private var budget: Budget
  var statistics = Statistics()
  /// The outcome of the last schedule.
  private(set) var lastEnding = ""
  private(set) var found: Found?
  /// The number of items at each choice of the last schedule.
  private var lastCounts: [Int] = []
  /// The number of choices in the first-in, first-out run.
  private var choices = 1
  private var bounded: BoundedSearch
  /// The schedules of the current level of the bounded search that have not run.
  private var level: ArraySlice<Int> = []
  /// The number of schedules that the bounded search has run, indexed by cost. The last one may be incomplete.
  private var levels: [Int] = []
  /// Whether no schedule of the bounded search has failed.
  private(set) var boundedPasses = true
  /// The number of items that follow from each item in the first-in, first-out run, including the item itself.
  private var sizes: [UInt64: Int] = [:]

  init(_ explorer: Explorer, _ runner: ProgramRunner, until deadline: ContinuousClock.Instant?) {
    self.explorer = explorer
    self.runner = runner
    let (share, rest) = explorer.schedules.quotientAndRemainder(dividingBy: explorer.shard.count)
    let bound = if case .bounded(let bound) = explorer.search { bound } else { Int.max }
    bounded = BoundedSearch(bound: bound, shard: explorer.shard, maximumNodes: explorer.maximumNodes)
    statistics.unit = explorer.unit
    budget = Budget(
      schedules: share + (explorer.shard.number <= rest ? 1 : 0), until: deadline, includesFirst: true,
      isStopped: explorer.isStopped)
  }

  mutating func run() {
    switch explorer.search {
    case .exhaustive:
      if explorer.shard.number == 1 { runClasses() }
      if statistics.reduction?.lie != nil { runBounded() }
    case .fifo: _ = attempt(DeviationPolicy(), .fifo)
    case .bounded: runBounded()
    case .mixed: runRounds()
    case .random, .walk, .pct, .pos: runAtRandom([explorer.search])
    }
    statistics.duration = start.duration(to: .now)
  }

  private var isDone: Bool { found != nil && explorer.stopsAtFailure }

  /// Runs one schedule. Returns false if the budget is used up or if a failure ends the search.
  ///
  /// - Parameter number: the number of a random schedule, which draws random numbers of its own.
  mutating func attempt(_ policy: any SearchPolicy, _ search: Search, number: Int? = nil) -> Bool {
    guard !isDone, budget.take() else { return false }
    if statistics.drawsNumbers, let number { runner.randomSeed = UInt32(truncatingIfNeeded: number) &+ 1 }
    defer { runner.randomSeed = 0 }
    var verdict = runner.run(policy)
    let recording = runner.recording
    lastCounts = recording.counts
    if verdict.finding?.kind == .livelock, search != .fifo { verdict = fairVerdict() }
    lastEnding = Self.ending(of: verdict)
    if statistics.schedules.isMultiple(of: Self.progressInterval) { explorer.onProgress?(statistics.schedules) }
    statistics.add(verdict, recording.schedule, choices: lastCounts.count)
    if case .random = search { statistics.estimate.add(lastCounts) }
    if let finding = verdict.finding {
      if case .bounded = search { boundedPasses = false }
      if found == nil {
        statistics.timeToFirstFailure = start.duration(to: .now)
        found = Found(
          finding: finding, schedule: recording.schedule, search: search, schedules: statistics.schedules)
      }
    }
    return !isDone
  }

  /// Runs the first half of the last schedule again, and continues first in, first out. That order lets every task run,
  /// so only a program that never ends reaches the limit on steps again.
  private func fairVerdict() -> Verdict {
    let half = lastCounts.count / 2
    return runner.run(DeviationPolicy(runner.recording.deviations.filter { $0.choice < half }))
  }

  static func ending(of verdict: Verdict) -> String { verdict.finding?.message ?? verdict.outcome }

  // MARK: Bounded

  private enum BoundedStep {
    case ran
    /// No schedule is left.
    case over
    /// The budget or a failure ends the search.
    case stopped
  }

  private mutating func runBounded() {
    guard runFirst() else { return }
    while case .ran = runNextBounded() {}
  }

  /// Runs the first-in, first-out schedule. Every shard needs its choices, but only one shard counts it. Returns false if
  /// the budget or a failure ends the search.
  private mutating func runFirst() -> Bool {
    if explorer.shard.number == 1 {
      let before = statistics.schedules
      let continues = attempt(DeviationPolicy(), .fifo)
      // Without a budget, no schedule has run, so no bound is certain.
      guard statistics.schedules > before else { return false }
      levels = [1]
      noteBound(0)
      guard continues else { return false }
    } else {
      _ = runner.run(DeviationPolicy())
      lastCounts = runner.recording.counts
      levels = [0]
      noteBound(0)
    }
    choices = max(1, lastCounts.count)
    bounded.expand(BoundedSearch.root, counts: lastCounts)
    return true
  }

  private mutating func runNextBounded() -> BoundedStep {
    if level.isEmpty {
      guard let next = bounded.nextLevel() else {
        let last = bounded.bound == .max ? bounded.cost - 1 : bounded.bound
        if bounded.remembersAll(upTo: last) { noteBound(last, isEverything: bounded.isEverything) }
        return .over
      }
      level = next[...]
      while levels.count < bounded.cost { levels.append(0) }
    }
    let (node, cost) = (level[level.startIndex], bounded.cost - 1)
    let policy = DeviationPolicy(bounded.schedule(of: node))
    if bounded.isOwn(node) {
      let before = statistics.schedules
      let continues = attempt(policy, .bounded(cost))
      levels[cost] += statistics.schedules - before
      guard continues else { return .stopped }
    } else {
      guard budget.left > 0 else { return .stopped }
      _ = runner.run(policy)
      lastCounts = runner.recording.counts
    }
    level.removeFirst()
    bounded.expand(node, counts: lastCounts)
    if level.isEmpty, bounded.remembersAll(upTo: cost) { noteBound(cost) }
    return .ran
  }

  private mutating func noteBound(_ cost: Int, isEverything: Bool = false) {
    let levels = Array(levels.prefix(cost + 1))
    statistics.bound = Statistics.Bound(
      deviations: cost, schedules: levels.reduce(0, +), isEverything: isEverything,
      isOfShard: explorer.shard != .whole, levels: levels, unit: explorer.unit)
  }

  // MARK: In turns

  /// The algorithms that alternate with the bounded search, best first.
  private static let randomSearches: [Search] = [.pct(depth: 3), .pct(depth: 2), .pos, .walk, .random]

  /// Runs rounds: a schedule of the bounded search, and one of each other algorithm. So the n-th schedule of each of them is
  /// among the first 6n + 1. In the last third of the budget, levels of the bounded search that fit in it run completely.
  private mutating func runRounds() {
    let lastThird = budget.left / 3
    guard runFirst() else { return }
    var (count, run, isBoundedOver) = (0, explorer.shard.number - 1, false)
    while true {
      // In a shard, the rest of the budget still goes to random schedules: the other shards may not finish their parts.
      if isBoundedOver, explorer.shard == .whole, !statistics.drawsNumbers, statistics.bound?.isEverything == true {
        return
      }
      let isLevel = budget.left <= lastThird && !level.isEmpty && level.count <= budget.left
      if !isBoundedOver, isLevel || count.isMultiple(of: Self.randomSearches.count + 1) {
        switch runNextBounded() {
        case .ran: break
        case .over: isBoundedOver = true
        case .stopped: return
        }
        if !isLevel { count += 1 }
        if level.isEmpty, budget.left <= lastThird, !isBoundedOver { fillLevel() }
        continue
      }
      let search = Self.randomSearches[run % Self.randomSearches.count]
      guard attempt(policy(search, run), search, number: run) else { return }
      run += explorer.shard.count
      count += 1
    }
  }

  /// Begins the next level of the bounded search, to compare its size with the budget.
  private mutating func fillLevel() {
    guard let next = bounded.nextLevel() else { return }
    level = next[...]
    while levels.count < bounded.cost { levels.append(0) }
  }

  // MARK: At random

  private mutating func runAtRandom(_ searches: [Search]) {
    measureChoices(searches)
    // The run numbers are divided among the shards.
    var run = explorer.shard.number - 1
    while true {
      let search = searches[run % searches.count]
      guard attempt(policy(search, run), search, number: run) else { return }
      run += explorer.shard.count
    }
  }

  private mutating func policy(_ search: Search, _ run: Int) -> any SearchPolicy {
    var generator = SplitMix64(seed: explorer.seed, run: run)
    switch search {
    case .random: return RandomPolicy(generator)
    case .walk:
      if sizes.isEmpty { measure() }
      return RandomWalkPolicy(generator, sizes: sizes)
    case .pos: return POSPolicy(seed: generator.next())
    // Other orders may have more choices than the first-in, first-out run.
    case .pct(let depth): return PCTPolicy(generator, depth: depth, choices: choices + choices / 2)
    case .exhaustive, .fifo, .bounded, .mixed: preconditionFailure("\(search) makes no random choices")
    }
  }

  /// Counts the choices for PCT. Shards must use the same number, so that they divide the schedules of one search.
  private mutating func measureChoices(_ searches: [Search]) {
    let usesPCT = searches.contains { if case .pct = $0 { true } else { false } }
    guard usesPCT, budget.left > 0 else { return }
    _ = runner.run(DeviationPolicy())
    choices = max(1, runner.recording.counts.count)
  }

  private mutating func measure() {
    let recorder = Recorder()
    _ = runner.run(DeviationPolicy(), recorder)
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
    // The first run shows on which schedulers items are delayed.
    _ = runner.run(sets)
    sets.restart()
    repeat {
      guard attempt(sets, .exhaustive) else { return }
      if sets.hasDiverged { return }
      if sets.hasLearned {
        sets.restart()
        (reduction.classes, reduction.redundant) = (0, 0)
        continue
      }
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
      let pairs = run.independentNeighbors.filter { $0 != last }
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
    let other = Self.ending(of: runner.run(sets, recorder))
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
