/// How sure one can be of a choice.
package enum Certainty: Sendable, Equatable {
  /// It is so much better than the one that is named, at least.
  case ahead(String, of: String, by: Metric)
  /// None of the choice differs from the reference by more than this ratio, as far as can be seen.
  case level(Double, with: String, by: Metric)
  /// All of the choice are the same by what decides.
  case equal
  /// What decided cannot be relied on.
  case unsure
  /// There is nothing to choose.
  case none

  /// Up to this ratio strategies are as good as each other; beyond it, a tie only says that too little can be seen.
  static let blindness = 1.25

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
    let widths = metrics.map { (metric: $0, width: Self.width(rows, $0)) }
    guard let reference, let widest = widths.max(by: { $0.width < $1.width }), widest.width > 1 else {
      self = .equal
      return
    }
    self = .level(widest.width, with: reference.contender.name, by: widest.metric)
  }

  /// How many times as much or as little as the reference one of them may be, by its interval.
  static func width(_ rows: [WorkloadAnalysis.Row], _ metric: Metric) -> Double {
    Advice.areEqual(rows, metric) ? 1 : rows.compactMap { $0.cells[metric]?.effect?.reach }.max() ?? 1
  }

  private static func least(_ cells: [MetricCell]) -> MetricCell? {
    cells.min { $0.effect?.leastReach ?? 1 < $1.effect?.leastReach ?? 1 }
  }

  /// `4.80x`, or `349 KB` beside nothing.
  private static func amount(_ cell: MetricCell) -> String {
    guard let effect = cell.effect, let interval = effect.interval, let reach = effect.leastReach else { return "" }
    let ratio = WorkloadAnalysis.ratio(reach)
    return effect.isFromZero ? cell.scale.text(min(abs(interval.low), abs(interval.high))) : ratio
  }

  /// The end of a sentence that names the choice; empty where there is nothing to add.
  var text: String {
    switch self {
    case .ahead(let amount, let name, let metric): ": at least \(amount) better than \(name) by \(metric.name)"
    case .level(let width, let name, let metric) where width <= Self.blindness:
      ": level within \(WorkloadAnalysis.ratio(width)) of \(name) by \(metric.name)"
    case .level(let width, _, let metric):
      ": level, or up to \(WorkloadAnalysis.ratio(width)) apart by \(metric.name), which these blocks cannot tell"
    case .equal: ": equal by what decides"
    case .unsure, .none: ""
    }
  }

  /// For a cell of a table, beside the reference of that name.
  func inShort(beside reference: String) -> String {
    switch self {
    case .ahead(let amount, let name, _): "at least \(amount) ahead" + (name == reference ? "" : " of \(name)")
    case .level(let width, _, _):
      width <= Self.blindness
        ? "level within \(WorkloadAnalysis.ratio(width))" : "level, or up to \(WorkloadAnalysis.ratio(width)) apart"
    case .equal: "equal"
    case .unsure: "not sure"
    case .none: "too little measured"
    }
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
