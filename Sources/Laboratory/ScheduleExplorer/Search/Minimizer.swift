/// Minimizes a failing schedule.
struct Minimizer {
  let trial: Trial
  private(set) var budget: Budget
  private let maximumNodes: Int

  init(_ trial: Trial, _ budget: Budget, maximumNodes: Int) {
    self.trial = trial
    self.budget = budget
    self.maximumNodes = maximumNodes
  }

  private mutating func fails(_ list: [Deviations.Deviation]) -> Bool {
    guard budget.take() else { return false }
    let policy = DeviationPolicy(list)
    return trial.run(policy).finding != nil && policy.hasFollowed
  }

  /// Returns the shortest failing prefix, and reduces it further by changing one deviation at a time.
  mutating func shorten(_ list: [Deviations.Deviation]) -> [Deviations.Deviation] {
    var best = list
    if let count = best.indices.first(where: { fails(Array(best.prefix($0))) }) { best = Array(best.prefix(count)) }
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

  /// Runs all cheaper schedules, cheapest first. Returns the first one that fails, and whether it is certain that no
  /// smaller schedule fails.
  mutating func search(below list: [Deviations.Deviation]) -> (list: [Deviations.Deviation], isMinimal: Bool) {
    let cost = Deviations(list).cost
    guard cost > 0 else { return (list, true) }
    if fails([]) { return ([], true) }
    guard cost > 1 else { return (list, budget.left > 0) }
    var search = BoundedSearch(bound: cost - 1, maximumNodes: maximumNodes)
    search.expand(BoundedSearch.root, counts: trial.director.counts)
    while let level = search.nextLevel() {
      for node in level {
        let schedule = search.schedule(of: node)
        if fails(schedule) { return (schedule, search.remembersAll(upTo: Deviations(schedule).cost - 1)) }
        guard budget.left > 0 else { return (list, false) }
        search.expand(node, counts: trial.director.counts)
      }
    }
    return (list, search.remembersAll(upTo: cost - 1))
  }
}
