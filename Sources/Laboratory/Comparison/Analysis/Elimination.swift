/// Chooses strategies for one workload by applying its deciding metrics in order. A strategy that loses in one metric
/// is eliminated, and the next metric decides among the remaining strategies.
struct Elimination {
  typealias Row = WorkloadAnalysis.Row

  /// The result of applying one metric.
  struct Round {
    let metric: Metric
    let winners: [Row]
    let behind: [Row]
    /// The strategies that are kept because none of the winners can be recommended.
    let kept: [Row]
    /// Whether the reference's two measurements differ in this metric.
    let isUnproven: Bool

    /// Whether the winners that can be recommended are tied only because the measured blocks cannot distinguish between
    /// them.
    let isBlindTie: Bool
  }

  let rounds: [Round]
  /// The rounds that eliminate strategies. After a blind tie, a less important metric must not determine the choice. In
  /// a sequential comparison, all rounds are included, because further blocks resolve the tie.
  let deciding: ArraySlice<Round>
  /// The strategies to choose from, in table order.
  let chosen: [Row]
  /// The strategies that are at least as good as the chosen ones, but are never recommended.
  let misbehaving: [Row]
  /// The strategies whose results in further blocks could change the choice. Nil unless the comparison is sequential.
  private(set) var open: [Row]?
  /// The strategies that the measurements do not exclude from the choice, in table order.
  private(set) var possible: [Row] = []

  /// - Parameter unfit: the names of the strategies that are never recommended.
  init(_ analysis: WorkloadAnalysis, unfit: Set<String>) {
    let group = analysis.rows.filter { $0.contender.isChoice && !$0.cells.isEmpty }
    self.init(analysis, group, unfit) { $0.cells[$1]?.judgement }
    if analysis.isSequential {
      let cells = OpenCells(analysis, group, unfit)
      open = cells.rows
      possible = cells.possible
    } else {
      // A metric that is not reliable excludes no strategy.
      let doubtful = deciding.filter(\.isUnproven).flatMap(\.behind)
      let names = Set((chosen + doubtful).map(\.contender.name)).subtracting(unfit)
      possible = chosen.isEmpty ? [] : group.filter { names.contains($0.contender.name) }
    }
  }

  /// - Parameter judging: a closure that returns a metric's judgement of a strategy, or nil if the metric was not
  ///   measured.
  init(
    _ analysis: WorkloadAnalysis, _ all: [Row], _ unfit: Set<String>,
    judging: (Row, Metric) -> Judgement?
  ) {
    var group = all
    var rounds: [Round] = []
    for metric in analysis.workload.deciding where group.count > 1 || rounds.isEmpty {
      let judge = { judging($0, metric) }
      guard let round = Round(group, metric, isUnproven: analysis.isUnproven(metric), unfit, judge) else { continue }
      rounds.append(round)
      group = round.winners + round.kept
    }
    let tie = analysis.isSequential ? nil : rounds.firstIndex(where: \.isBlindTie)
    self.rounds = rounds
    deciding = tie.map { rounds[...$0] } ?? rounds[...]
    let left = deciding.last.map { $0.winners + $0.kept } ?? []
    chosen = left.filter { !unfit.contains($0.contender.name) }
    misbehaving = left.filter { unfit.contains($0.contender.name) }
  }

  /// Whether some metric has only winners that cannot be recommended, although another strategy can be.
  var misbehaviourPays: Bool { deciding.contains { !$0.kept.isEmpty } }

  /// The eliminated strategies in the order of their elimination, each with the metric that eliminated it.
  var losers: [(row: Row, metric: Metric, cell: MetricCell)] {
    let left = Set((chosen + misbehaving).map(\.contender))
    return deciding.flatMap { round in
      round.behind.filter { !left.contains($0.contender) }.compactMap { row in
        row.cells[round.metric].map { (row, round.metric, $0) }
      }
    }
  }

  /// Whether the choice is certain. In a sequential comparison, the choice is certain if no further block can change
  /// it.
  ///
  /// In other comparisons, the choice is certain if every metric that eliminated a strategy is reliable.
  var isSure: Bool { open?.isEmpty != false && !deciding.contains { $0.isUnproven && !$0.behind.isEmpty } }

  /// Returns the confidence in the choice.
  ///
  /// - Parameter reference: the strategy with which all others are compared.
  func certainty(_ reference: Row?) -> Certainty {
    if chosen.isEmpty { return .none }
    if !isSure { return .unsure }
    let leads = deciding.compactMap { round in reference.flatMap { round.lead(over: $0.contender.name) } }
    if let (names, certainty) = leads.last, chosen.allSatisfy({ names.contains($0.contender.name) }) {
      return certainty
    }
    guard chosen.count > 1 else {
      // The loser with the smallest distance determines the lead. All distances are measured from the reference, so the
      // distance from the reference itself is in the chosen strategy's cell.
      let distances = losers.map { loser in
        (loser, cell: loser.cell.effect == nil ? chosen[0].cells[loser.metric] ?? loser.cell : loser.cell)
      }
      let last = distances.min { $0.cell.leastReach < $1.cell.leastReach }
      return last.map { .ahead($0.cell.smallestDifference, of: $0.0.row.contender.name, by: $0.0.metric) } ?? .equal
    }
    let widths = deciding.compactMap { round in
      Width(chosen.compactMap { $0.cells[round.metric] }).map { (metric: round.metric, width: $0) }
    }
    guard let reference, let widest = widths.max(by: { $0.width < $1.width }) else { return .equal }
    return .level(widest.width, with: reference.contender.name, by: widest.metric)
  }
}

extension Elimination.Round {
  /// Creates the result of applying a metric. Returns nil if the metric was not measured for all of these strategies.
  fileprivate init?(
    _ group: [WorkloadAnalysis.Row], _ metric: Metric, isUnproven: Bool, _ unfit: Set<String>,
    _ judge: (WorkloadAnalysis.Row) -> Judgement?
  ) {
    let judged = group.filter { judge($0) != nil && judge($0) != .unknown }
    guard !judged.isEmpty, judged.count == group.count else { return nil }
    let winners = Self.winners(judged, metric, judge)
    let whole = judged.filter { !unfit.contains($0.contender.name) }
    let areAllUnfit = winners.allSatisfy { unfit.contains($0.contender.name) }
    let cells = winners.filter { !unfit.contains($0.contender.name) }.compactMap { $0.cells[metric] }
    self.init(
      metric: metric, winners: winners,
      behind: judged.filter { row in !winners.contains { $0.contender == row.contender } },
      kept: areAllUnfit && !whole.isEmpty ? Self.winners(whole, metric, judge) : [], isUnproven: isUnproven,
      isBlindTie: !cells.contains(where: \.judgement.counts) && Width(cells)?.isBlind == true)
  }

  /// Returns the best rows among those that are clearly better than the reference. If there are none, returns all rows
  /// that are not clearly worse.
  private static func winners(
    _ rows: [WorkloadAnalysis.Row], _ metric: Metric, _ judge: (WorkloadAnalysis.Row) -> Judgement?
  ) -> [WorkloadAnalysis.Row] {
    let clear = rows.filter { judge($0)?.counts == true }
    let better = clear.filter { judge($0)?.isBetter == true }
    guard let best = better.compactMap({ $0.cells[metric] }).max(by: { metric.isBetter($1.median, than: $0.median) }),
      let own = best.interval
    else {
      let fine = rows.filter { row in !clear.contains { $0.contender == row.contender } }
      return fine.isEmpty ? rows : fine
    }
    // A row whose interval overlaps the best row's interval may be equally good.
    return better.filter { row in
      guard let other = row.cells[metric]?.interval else { return false }
      return other.overlaps(own)
    }
  }

  /// If all winners are clearly better than the reference, returns their names and the smallest lead.
  fileprivate func lead(over reference: String) -> (names: Set<String>, certainty: Certainty)? {
    let cells = winners.compactMap { $0.cells[metric] }
    guard cells.allSatisfy({ $0.judgement.counts && $0.judgement.isBetter }),
      let least = cells.min(by: { $0.leastReach < $1.leastReach })
    else { return nil }
    return (Set(winners.map(\.contender.name)), .ahead(least.smallestDifference, of: reference, by: metric))
  }
}
