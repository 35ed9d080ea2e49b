/// Minimizes a failing schedule.
struct Minimizer {
  let runner: ProgramRunner
  private(set) var budget: Budget
  private let maximumNodes: Int

  init(_ runner: ProgramRunner, _ budget: Budget, maximumNodes: Int) {
    self.runner = runner
    self.budget = budget
    self.maximumNodes = maximumNodes
  }

  private mutating func fails(_ list: [Deviations.Deviation]) -> Bool {
    guard budget.take() else { return false }
    let policy = DeviationPolicy(list)
    return runner.run(policy).finding != nil && policy.hasFollowed
  }

  /// Returns a short failing prefix, removes as many deviations as possible in halves, quarters and so on, and then
  /// changes one deviation at a time.
  mutating func shorten(_ list: [Deviations.Deviation]) -> [Deviations.Deviation] {
    var (best, passing) = (list, -1)
    // The prefix of this length fails, and the one of `passing` deviations does not.
    while best.count - passing > 1 {
      let middle = passing + (best.count - passing) / 2
      if fails(Array(best.prefix(middle))) { best = Array(best.prefix(middle)) } else { passing = middle }
      if budget.left == 0 { return best }
    }
    var size = best.count / 2
    while size > 1 {
      var start = best.count
      while start > 0, budget.left > 0 {
        let part = max(0, start - size)..<start
        let shorter = Array(best[..<part.lowerBound] + best[part.upperBound...])
        if fails(shorter) { best = shorter }
        start = part.lowerBound
      }
      size /= 2
    }
    while let smaller = smaller(than: best) { best = smaller }
    return best
  }

  private mutating func smaller(than list: [Deviations.Deviation]) -> [Deviations.Deviation]? {
    for position in list.indices.reversed() {
      for index in 0..<list[position].index {
        var changed = list
        if index == 0 { changed.remove(at: position) } else { changed[position].index = index }
        if fails(changed) { return changed }
      }
    }
    return nil
  }

  /// The result of a search for smaller failing schedules.
  struct Smallest {
    var list: [Deviations.Deviation]
    /// Every schedule with fewer deviations passes.
    var least: Int
  }

  /// Runs all cheaper schedules, cheapest first, until one fails or the budget ends.
  mutating func search(below list: [Deviations.Deviation]) -> Smallest {
    let cost = Deviations(list).cost
    guard cost > 0 else { return Smallest(list: list, least: 0) }
    if fails([]) { return Smallest(list: [], least: 0) }
    if budget.left == 0 { return Smallest(list: list, least: 0) }
    var search = BoundedSearch(bound: cost - 1, maximumNodes: maximumNodes)
    search.expand(BoundedSearch.root, counts: runner.recording.counts)
    var least = 1
    while let level = search.nextLevel() {
      for node in level {
        let schedule = search.schedule(of: node)
        if fails(schedule) { return Smallest(list: schedule, least: least) }
        guard budget.left > 0 else { return Smallest(list: list, least: least) }
        search.expand(node, counts: runner.recording.counts)
      }
      if search.remembersAll(upTo: search.cost - 1) { least = search.cost }
    }
    return Smallest(list: list, least: search.remembersAll(upTo: cost - 1) ? cost : least)
  }
}
