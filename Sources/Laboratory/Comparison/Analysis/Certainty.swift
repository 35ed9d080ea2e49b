/// How sure one can be of a choice.
package enum Certainty: Sendable, Equatable {
  /// It is so much better than the one that is named, at least.
  case ahead(String, of: String, by: Metric)
  /// None of the choice differs from the reference by more than this, as far as can be seen.
  case level(Width, with: String, by: Metric)
  /// All of the choice are the same by what decides.
  case equal
  /// What decided cannot be relied on.
  case unsure
  /// There is nothing to choose.
  case none

  /// Of those that are better than the reference, the one that is least ahead decides.
  init?(_ winners: [WorkloadAnalysis.Row], ahead reference: WorkloadAnalysis.Row?, _ metric: Metric) {
    let cells = winners.compactMap { $0.cells[metric] }
    guard let reference, cells.count == winners.count,
      cells.allSatisfy({ $0.judgement.counts && $0.judgement.isBetter }), let least = Self.least(cells)
    else { return nil }
    self = .ahead(Self.amount(least), of: reference.contender.name, by: metric)
  }

  /// Of those that are worse than all of the choice, the one that is least behind decides.
  init(aheadOf losers: [Advice.Loser]) {
    let last = losers.min { $0.cell.effect?.leastReach ?? 1 < $1.cell.effect?.leastReach ?? 1 }
    self = last.map { .ahead(Self.amount($0.cell), of: $0.name, by: $0.metric) } ?? .equal
  }

  init(level rows: [WorkloadAnalysis.Row], _ metrics: [Metric], _ reference: WorkloadAnalysis.Row?) {
    let widths = metrics.compactMap { metric in Width(rows, metric).map { (metric, $0) } }
    guard let reference, let (metric, widest) = widths.max(by: { $0.1 < $1.1 }) else {
      self = .equal
      return
    }
    self = .level(widest, with: reference.contender.name, by: metric)
  }

  private static func least(_ cells: [MetricCell]) -> MetricCell? {
    cells.min { $0.effect?.leastReach ?? 1 < $1.effect?.leastReach ?? 1 }
  }

  /// `4.80x`, or `2.8 ms` of what is compared by difference.
  private static func amount(_ cell: MetricCell) -> String {
    guard let effect = cell.effect, let reach = effect.leastReach else { return "" }
    return effect.distance.map { cell.scale.text($0.lowerBound) } ?? WorkloadAnalysis.ratio(reach)
  }

  /// The end of a sentence that names the choice; empty where there is nothing to add.
  var text: String {
    switch self {
    case .ahead(let amount, let name, let metric): ": at least \(amount) better than \(name) by \(metric.name)"
    case .level(let width, _, let metric) where width.isBlind:
      ": up to \(width.text) apart by \(metric.name), which these blocks cannot tell"
    case .level(let width, let name, let metric): ": level within \(width.text) of \(name) by \(metric.name)"
    case .equal: ": equal by what decides"
    case .unsure, .none: ""
    }
  }

  /// For a cell of a table, beside the reference of that name.
  func inShort(beside reference: String) -> String {
    switch self {
    case .ahead(let amount, let name, _): "at least \(amount) ahead" + (name == reference ? "" : " of \(name)")
    case .level(let width, _, _): width.isBlind ? "up to \(width.text) apart" : "level within \(width.text)"
    case .equal: "equal"
    case .unsure: "unproven"
    case .none: "too little measured"
    }
  }

  /// The same as a verdict.
  ///
  /// - Parameter isMeasured: whether what was measured is what is chosen for.
  func verdict(isMeasured: Bool) -> Verdict {
    switch self {
    case .level(let width, _, _) where width.isBlind: .blind
    case .ahead, .level, .equal: isMeasured ? .sure : .guess
    case .unsure: .unsure
    case .none: .none
    }
  }

  enum Verdict: String {
    case sure
    case guess = "a guess"
    case blind = "cannot tell"
    case unsure = "not sure"
    case none = "n/a"
  }

  /// What it is about; nil where that is all that decides.
  var metric: Metric? {
    switch self {
    case .ahead(_, _, let metric), .level(_, _, let metric): metric
    case .equal, .unsure, .none: nil
    }
  }

  /// Who the choice is held against.
  var opponent: String? {
    if case .ahead(_, let name, _) = self { name } else { nil }
  }
}
