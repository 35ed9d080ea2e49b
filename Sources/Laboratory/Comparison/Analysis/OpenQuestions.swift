import PlainText

/// The open questions of an undecided workload.
package struct OpenQuestions: Sendable {
  /// The metrics that did not settle the choice, such as `throughput 55.0 to 75.1 images/s, may differ by 1.67x
  /// (downloadTask; dataTask from itself: 1.46x)`.
  package let ranges: [String]
  /// The metrics in which the strategies may differ too much to be called equal, with the largest possible difference.
  let widths: [(metric: Metric, width: Width)]
  /// Whether two runs of the reference alone may differ too much to be called equal in the widest of these metrics.
  let isNoisy: Bool
  /// The visible differences of each strategy, such as `downloadTask is probably worse in throughput (0.75x [0.60,
  /// 0.82])`.
  package let differences: [String]
  /// The strategies that are visibly better than the reference in the most important open metric.
  package let better: [String]
  /// The strategies that are visibly worse than the reference in the most important open metric.
  package let worse: [String]

  /// The widest of ``widths``.
  var widest: Width? { widths.map(\.width).max() }

  init(_ elimination: Elimination, _ analysis: WorkloadAnalysis) {
    let chosen = elimination.chosen
    // After a blind tie, no later metric decides, so all of them are open.
    let all = analysis.workload.deciding
    let last = elimination.deciding.last.flatMap { all.firstIndex(of: $0.metric) } ?? 0
    let metrics =
      elimination.deciding.filter { $0.isBlindTie || $0.isUnproven }.map(\.metric) + all.dropFirst(last + 1)
    ranges = metrics.compactMap { Self.range($0, chosen, analysis) }
    let visible = chosen.map { row in
      (row: row, cells: metrics.compactMap { row.cells[$0] }.filter { Self.isVisible($0, analysis) })
    }
    differences = visible.filter { !$0.cells.isEmpty }.map { row, cells in
      "\(row.contender.name) is \(cells.map(\.claim).listed(with: "and"))"
    }
    // A lead in a less important metric does not make a strategy probable while the most important one is open.
    let first = visible.filter { $0.cells.first?.metric == metrics.first }
    better = first.filter { $0.cells.first?.judgement.isBetter == true }.map(\.row.contender.name)
    worse = first.filter { $0.cells.first?.judgement.isWorse == true }.map(\.row.contender.name)
    widths = metrics.compactMap { metric in Self.width(metric, chosen).map { (metric, $0.width) } }
    let widest = widths.max { $0.width < $1.width }?.metric
    isNoisy = widest.flatMap { analysis.control?.cells[$0].flatMap(Width.init) }?.isBlind == true
  }

  /// Returns whether a difference is worth mentioning: it is significant, or its whole interval exceeds the difference
  /// between two runs of the reference.
  private static func isVisible(_ cell: MetricCell, _ analysis: WorkloadAnalysis) -> Bool {
    guard cell.judgement.isBetter || cell.judgement.isWorse else { return false }
    if cell.judgement.counts { return true }
    guard let control = analysis.control?.cells[cell.metric]?.effect else { return false }
    if let distance = cell.effect?.distance { return distance.lowerBound > abs(control.median) }
    return cell.leastReach > max(control.median, 1 / control.median)
  }

  /// Returns the largest difference that is too large for a tie but does not count, and the strategy that may have it.
  private static func width(_ metric: Metric, _ rows: [WorkloadAnalysis.Row]) -> (width: Width, owner: String)? {
    let widths = rows.compactMap { row -> (width: Width, owner: String)? in
      guard let cell = row.cells[metric], !cell.judgement.counts else { return nil }
      return Width(cell).map { ($0, row.contender.name) }
    }
    return widths.max { $0.width < $1.width }.flatMap { $0.width.isBlind ? $0 : nil }
  }

  /// Returns nil if the metric shows no difference that matters.
  private static func range(
    _ metric: Metric, _ rows: [WorkloadAnalysis.Row], _ analysis: WorkloadAnalysis
  ) -> String? {
    let cells = rows.compactMap { $0.cells[metric] }.sorted { $0.median < $1.median }
    guard let least = cells.first, let most = cells.last, let name = analysis.reference?.contender.name else {
      return nil
    }
    let values = "\(metric.name) " + (least.number == most.number ? least.text : "\(least.number) to \(most.text)")
    if analysis.isUnproven(metric) {
      return "\(values), not proven because \(analysis.differenceFromItself(metric))"
    }
    guard let (width, owner) = width(metric, rows) else {
      return cells.contains(where: \.judgement.counts) ? values : nil
    }
    let noise = analysis.control?.cells[metric].flatMap(Width.init).map { "; \(name) from itself: \($0.text)" } ?? ""
    return "\(values), may differ by \(width.text) (\(owner)\(noise))"
  }
}

extension MetricCell {
  /// The difference from the reference, such as `probably worse in throughput (0.75x [0.60, 0.82])`.
  fileprivate var claim: String {
    (judgement.counts ? "" : "probably ") + (judgement.isBetter ? "better" : "worse") + " in \(metric.name)"
      + (effectText.map { " (\($0))" } ?? "")
  }
}
