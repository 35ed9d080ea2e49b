/// One metric of a situation: the median of each strategy, and how it compares with the reference.
package struct Measure: Sendable {
  /// The median of one strategy.
  package struct Value: Sendable, Encodable {
    package let strategy: String
    package let text: String
    package let standing: Standing
  }

  package let metric: Metric
  /// The metric's title with its unit and the better direction, such as `images/s ↑`.
  let title: String
  package let values: [Value]
  /// The largest difference from the reference that is possible for a strategy that is open.
  let open: Width?
  /// The largest difference that is negligible, as text, if a tie can be based on it.
  let negligible: String?

  /// Returns nil if the metric was not measured.
  ///
  /// - Parameter choices: the strategies to show, in order.
  init?(_ metric: Metric, _ analysis: WorkloadAnalysis, _ choices: [String]) {
    let cells = choices.compactMap { name in
      analysis.rows.first { $0.name == name }?.cells[metric].map { (name: name, cell: $0) }
    }
    guard let first = cells.first?.cell else { return nil }
    let isUnproven = analysis.isUnproven(metric)
    self.metric = metric
    let arrow = [Metric.Preference.higher: " ↑", .lower: " ↓"][metric.preference] ?? ""
    title = first.title + arrow
    values = cells.map { Value(strategy: $0.name, text: $0.cell.number, standing: Standing($0.cell, isUnproven)) }
    // The intervals of a metric that is not reliable bound nothing.
    open = isUnproven ? nil : zip(values, cells).filter { $0.0.standing == .open }.compactMap { Width($0.1.cell) }.max()
    let isByDifference = metric.comparesByDifference && metric.negligible > 0
    negligible = isByDifference ? metric.unit.text(metric.negligible) : nil
  }

  /// The number and the word for a strategy, such as `256 tie`.
  subscript(name: String) -> String {
    guard let value = values.first(where: { $0.strategy == name }) else { return "n/a" }
    return value.standing == .reference ? value.text : "\(value.text) \(value.standing.rawValue)"
  }

  func standing(of name: String) -> Standing? { values.first { $0.strategy == name }?.standing }
}

extension Measure: Encodable {
  private enum CodingKeys: CodingKey { case metric, values }
}

/// How a strategy compares with the reference in one metric, as a word. Unlike a ``Judgement``, it separates a tie from a
/// question that is open.
package enum Standing: String, Sendable, Encodable {
  case reference
  /// The interval lies within the limit, so either strategy will do.
  case tie
  /// The interval allows a tie as well as a difference that counts.
  case open
  case better, worse
  /// A difference is visible, but does not count yet.
  case probablyBetter = "better?"
  case probablyWorse = "worse?"
  /// There are too few blocks for an interval.
  case unknown = "?"

  /// - Parameter isUnproven: whether the reference differs from itself, so that the metric proves nothing.
  init(_ cell: MetricCell, _ isUnproven: Bool) {
    let isBlind = isUnproven || cell.isOpen
    switch cell.judgement {
    case .reference: self = .reference
    case .unknown: self = .unknown
    case .better(let isSure) where isSure || isBlind: self = isSure && !isUnproven ? .better : .probablyBetter
    case .worse(let isSure) where isSure || isBlind: self = isSure && !isUnproven ? .worse : .probablyWorse
    case .same, .better, .worse, .other: self = isBlind ? .open : .tie
    }
  }
}
