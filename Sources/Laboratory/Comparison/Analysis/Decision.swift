/// The decision about one workload, with its basis and what stays open. The screen, the details, the page and the
/// JSON are views of it.
///
/// The deciding metrics of the workload apply in order. A strategy that loses in one metric is eliminated, and the next
/// metric decides among the remaining strategies.
package struct Decision: Sendable {
  typealias Row = WorkloadAnalysis.Row

  package enum Degree: String, Sendable, Encodable {
    /// The intervals prove the choice.
    case sure
    /// The strategies are visibly better, but the difference does not count yet.
    case probably
    /// Each of the strategies can be the best one.
    case undecided
    /// There are no strategies to choose from.
    case none
  }

  /// The proof of a sure choice.
  package enum Basis: Sendable, Equatable {
    /// The choice is better than the named strategy by at least this amount.
    case ahead(String, of: String, by: Metric)
    /// The intervals of all chosen strategies lie within this distance of the reference.
    case level(Width, by: Metric)
    /// The chosen strategies are equal in the deciding metrics, or only one strategy can be recommended.
    case equal
  }

  /// The result of applying one metric.
  struct Round: Sendable {
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

  let analysis: WorkloadAnalysis
  /// The names of the strategies that are never recommended.
  let unfit: Set<String>
  package let degree: Degree
  /// The strategies of which any can be taken if the decision is sure. In table order.
  package let strategies: [String]
  /// Nil unless the decision is sure.
  package let basis: Basis?
  let rounds: [Round]
  /// The best strategies so far. They equal ``strategies`` if the decision is sure.
  let leaders: [Row]
  /// The strategies that are at least as good as the leaders, but are never recommended.
  let misbehaving: [String]
  /// Whether some metric has only winners that cannot be recommended, although another strategy can be.
  let unfitIsBetter: Bool
  /// The metrics in which the leaders may differ too much to be called equal, with the largest possible difference.
  let widths: [(metric: Metric, width: Width)]
  /// The contenders that a sequential comparison needs to measure in further blocks. Empty if nothing is open.
  package let open: [Contender]

  package var situation: Situation { analysis.situation }
  package var isSure: Bool { degree == .sure }
  /// The largest number of blocks in which any contender was measured, not including the warm-up.
  package var blocks: Int { analysis.blocks }

  /// - Parameter unfit: the names of the strategies that are never recommended.
  package init(_ analysis: WorkloadAnalysis, unfit: Set<String> = []) {
    self.analysis = analysis
    self.unfit = unfit
    let group = analysis.rows.filter { $0.contender.isChoice && !$0.cells.isEmpty }
    let rounds = Self.rounds(analysis, group, unfit) { $0.cells[$1]?.judgement }
    self.rounds = rounds
    // After a blind tie, a less important metric must not determine the choice. In a sequential comparison, further
    // blocks resolve the tie.
    let tie = analysis.isSequential ? nil : rounds.firstIndex(where: \.isBlindTie)
    let deciding = tie.map { rounds[...$0] } ?? rounds[...]
    let last = deciding.last.map { $0.winners + $0.kept } ?? []
    // Without the failed strategies, the choice would be among the others only.
    let left = analysis.lacksChoice(unfit) ? [] : last
    let leaders = left.filter { !unfit.contains($0.name) }
    self.leaders = leaders
    misbehaving = left.filter { unfit.contains($0.name) }.map(\.name)
    unfitIsBetter = deciding.contains { !$0.kept.isEmpty }
    let losers = deciding.flatMap { round in
      round.behind.filter { row in !last.contains { $0.contender == row.contender } }.map { ($0, round.metric) }
    }

    let question = analysis.isSequential ? Self.question(analysis, group, unfit) : nil
    // A metric that is not reliable eliminates no strategy.
    let doubtful = deciding.filter(\.isUnproven).flatMap(\.behind)
    let isProven = question?.open.isEmpty != false && doubtful.isEmpty
    let found = leaders.isEmpty || !isProven ? nil : Self.basis(analysis.reference, leaders, deciding, losers)
    basis = if case .level(let width, _) = found, width.isBlind, !analysis.isSequential { nil } else { found }

    let all = analysis.workload.deciding
    let next = deciding.last.flatMap { all.firstIndex(of: $0.metric) }.map { $0 + 1 } ?? 0
    let metrics = deciding.filter { $0.isBlindTie || $0.isUnproven }.map(\.metric) + all.dropFirst(next)
    let isDecided = basis != nil
    widths = isDecided ? [] : metrics.compactMap { metric in Self.width(metric, leaders).map { (metric, $0) } }
    let visible = leaders.map { row in
      (name: row.name, cells: metrics.compactMap { row.cells[$0] }.filter(analysis.isVisible))
    }
    let differences = isDecided ? [] : visible.filter { !$0.cells.isEmpty }
    open =
      question == nil || isProven && !last.isEmpty
      ? []
      : analysis.rows.map(\.contender).filter { contender in
        contender.role == .reference || contender.role == .control && rounds.contains(where: \.isUnproven)
          || question?.open.contains { $0.contender == contender } == true
      }

    let possible =
      question?.possible
      ?? group.filter { row in
        (leaders + doubtful).contains { $0.contender == row.contender } && !unfit.contains(row.name)
      }
    // A lead in a less important metric does not make a strategy probable while the most important one is open.
    let first = differences.filter { $0.cells[0].metric == metrics.first }
    let better = possible.filter { row in first.contains { $0.name == row.name && $0.cells[0].judgement.isBetter } }
    let rest =
      better.isEmpty
      ? possible.filter { row in !first.contains { $0.name == row.name && $0.cells[0].judgement.isWorse } } : better
    if leaders.isEmpty {
      (degree, strategies) = (.none, [])
    } else if isDecided {
      (degree, strategies) = (.sure, leaders.map(\.name))
    } else {
      let isProbable = !rest.isEmpty && rest.count < possible.count
      (degree, strategies) = isProbable ? (.probably, rest.map(\.name)) : (.undecided, possible.map(\.name))
    }
  }

  private static func basis(
    _ reference: Row?, _ leaders: [Row], _ rounds: ArraySlice<Round>, _ losers: [(Row, Metric)]
  ) -> Basis {
    let leads = rounds.compactMap { round in reference.flatMap { round.lead(over: $0.name) } }
    if let (names, lead) = leads.last, leaders.allSatisfy({ names.contains($0.name) }) { return lead }
    guard leaders.count > 1 else {
      let last = losers.compactMap { loser, metric in
        (loser.cells[metric]?.effect == nil ? leaders[0] : loser).cells[metric].map { (loser.name, $0) }
      }.min { $0.1.leastReach < $1.1.leastReach }
      return last.map { .ahead($0.1.smallestDifference, of: $0.0, by: $0.1.metric) } ?? .equal
    }
    let widths = rounds.compactMap { round in
      Width(leaders.compactMap { $0.cells[round.metric] }).map { (metric: round.metric, width: $0) }
    }
    return widths.max { $0.width < $1.width }.map { .level($0.width, by: $0.metric) } ?? .equal
  }

  /// Returns the largest difference that is too large for a tie but does not count.
  private static func width(_ metric: Metric, _ rows: [Row]) -> Width? {
    rows.compactMap { $0.cells[metric] }.filter { !$0.judgement.counts }.compactMap(Width.init).max()
      .flatMap { $0.isBlind ? $0 : nil }
  }
}

extension Decision {
  /// - Parameter judging: a closure that returns a metric's judgement of a strategy, or nil if the metric was not
  ///   measured.
  private static func rounds(
    _ analysis: WorkloadAnalysis, _ all: [Row], _ unfit: Set<String>, judging: (Row, Metric) -> Judgement?
  ) -> [Round] {
    var group = all
    var rounds: [Round] = []
    for metric in analysis.workload.deciding where group.count > 1 || rounds.isEmpty {
      let judge = { judging($0, metric) }
      guard let round = Round(group, metric, isUnproven: analysis.isUnproven(metric), unfit, judge) else { continue }
      rounds.append(round)
      group = round.winners + round.kept
    }
    return rounds
  }

  /// The maximum number of combinations to try. If there are more, every open cell is assumed to matter.
  private static let mostCombinations = 5_000

  /// The open question of a sequential comparison: the strategies whose results in further blocks could change the
  /// choice, and the strategies that some of the possible judgements choose.
  ///
  /// A cell whose interval is compatible with several judgements needs no further blocks if each of them leads to the
  /// same choice. For example, a strategy that is far ahead in the second metric is chosen regardless of whether it is
  /// level or ahead in the first.
  private static func question(
    _ analysis: WorkloadAnalysis, _ group: [Row], _ unfit: Set<String>
  ) -> (open: [Row], possible: [Row]) {
    let cells = analysis.workload.deciding.flatMap { metric in
      group.compactMap { row in
        row.cells[metric].flatMap { $0.isOpen ? (row: row, metric: metric, judgements: $0.possibleJudgements) : nil }
      }
    }
    let counts = cells.map(\.judgements.count)
    let combinations = counts.reduce(1) { $0 > mostCombinations ? $0 : $0 * $1 }
    guard combinations <= mostCombinations else {
      let open = group.filter { row in cells.contains { $0.row.contender == row.contender } }
      return (open, group.filter { !unfit.contains($0.name) })
    }
    // Each digit of a combination's number is an index into a cell's list of possible judgements.
    let strides = counts.indices.map { counts[..<$0].reduce(1, *) }
    let choices = (0..<combinations).map { number in
      let rounds = rounds(analysis, group, unfit) { row, metric in
        cells.firstIndex { $0.row.contender == row.contender && $0.metric == metric }.map { index in
          cells[index].judgements[number / strides[index] % counts[index]]
        } ?? row.cells[metric]?.judgement
      }
      let left = rounds.last.map { $0.winners + $0.kept } ?? []
      return left.map(\.contender).filter { !unfit.contains($0.name) }
    }
    let matter = cells.indices.filter { index in
      choices.indices.contains { number in
        let digit = number / strides[index] % counts[index]
        return choices[number] != choices[number - digit * strides[index]]
      }
    }
    let names = matter.map { cells[$0].row.contender }
    return (
      group.filter { names.contains($0.contender) },
      group.filter { row in choices.contains { $0.contains(row.contender) } }
    )
  }
}

extension Decision.Round {
  /// Creates the result of applying a metric. Returns nil if the metric was not measured for all of these strategies.
  fileprivate init?(
    _ group: [WorkloadAnalysis.Row], _ metric: Metric, isUnproven: Bool, _ unfit: Set<String>,
    _ judge: (WorkloadAnalysis.Row) -> Judgement?
  ) {
    let judged = group.filter { judge($0) != nil && judge($0) != .unknown }
    guard !judged.isEmpty, judged.count == group.count else { return nil }
    let winners = Self.winners(judged, metric, judge)
    let whole = judged.filter { !unfit.contains($0.name) }
    let cells = winners.filter { !unfit.contains($0.name) }.compactMap { $0.cells[metric] }
    self.init(
      metric: metric, winners: winners,
      behind: judged.filter { row in !winners.contains { $0.contender == row.contender } },
      kept: cells.isEmpty && !whole.isEmpty ? Self.winners(whole, metric, judge) : [], isUnproven: isUnproven,
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
    return better.filter { $0.cells[metric]?.interval?.overlaps(own) == true }
  }

  /// If all winners are clearly better than the reference, returns their names and the smallest lead.
  fileprivate func lead(over reference: String) -> (names: Set<String>, basis: Decision.Basis)? {
    let cells = winners.compactMap { $0.cells[metric] }
    guard cells.allSatisfy({ $0.judgement.counts && $0.judgement.isBetter }),
      let least = cells.min(by: { $0.leastReach < $1.leastReach })
    else { return nil }
    return (Set(winners.map(\.name)), .ahead(least.smallestDifference, of: reference, by: metric))
  }
}

extension Decision: Encodable {
  private enum CodingKeys: CodingKey { case workload, transport, verdict, blocks }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(situation.workload, forKey: .workload)
    try container.encode(situation.transport, forKey: .transport)
    let isAhead = if case .ahead = basis { true } else { false }
    try container.encode(isSure ? isAhead ? "ahead" : "equal" : "undecided", forKey: .verdict)
    try container.encode(blocks, forKey: .blocks)
  }
}

extension MetricCell {
  /// The judgements that the cell's interval allows.
  fileprivate var possibleJudgements: [Judgement] {
    guard let sides = effect?.sides(beyond: metric.leastGain, negligible: metric.negligible) else {
      return [.same, .better(isSure: true), .worse(isSure: true)]
    }
    let (better, worse) = metric.preference == .higher ? (sides.higher, sides.lower) : (sides.lower, sides.higher)
    return [.same] + (better ? [.better(isSure: true)] : []) + (worse ? [.worse(isSure: true)] : [])
  }
}
