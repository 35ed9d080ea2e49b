import Bytes

extension Advice {
  /// What an undecided workload leaves open.
  package struct Open: Sendable {
    /// The metrics that did not settle the choice, such as `throughput 55.0 to 75.1 images/s, may differ by 1.67x
    /// (dataTask from itself: 1.46x)`.
    package let ranges: [String]
    /// The metrics in which the strategies may differ too much to be called equal, with the largest possible difference.
    let widths: [(metric: Metric, width: Width)]
    /// Whether two runs of the reference alone may differ too much to be called equal in the widest of these metrics.
    let isNoisy: Bool
    /// The visible differences of each strategy, such as `downloadTask is probably worse in throughput (0.75x [0.60,
    /// 0.82])`.
    package let differences: [String]
    /// The strategies that are visibly worse than the reference in the most important metric in which they differ, each
    /// with the metrics in which it is visibly better.
    package let worse: [String: [String]]

    /// The widest of ``widths``.
    var widest: Width? { widths.map(\.width).max() }

    init(_ elimination: Elimination, _ analysis: WorkloadAnalysis) {
      let chosen = elimination.chosen
      let rounds = elimination.deciding.filter { $0.isBlindTie || $0.isUnproven } + elimination.later
      let metrics = rounds.map(\.metric)
      ranges = metrics.compactMap { Self.range($0, chosen, analysis) }
      let visible = chosen.map { row in
        (name: row.contender.name, cells: metrics.compactMap { row.cells[$0] }.filter(\.isVisiblyDifferent))
      }
      differences = visible.filter { !$0.cells.isEmpty }.map { name, cells in
        "\(name) is \(cells.map(\.claim).listed(with: "and"))"
      }
      worse = visible.filter { $0.cells.first?.judgement.isWorse == true }.reduce(into: [:]) { worse, row in
        worse[row.name] = row.cells.filter(\.judgement.isBetter).map(\.metric.name)
      }
      widths = metrics.compactMap { metric in
        let cells = chosen.compactMap { $0.cells[metric] }
        guard !cells.contains(where: \.judgement.counts), let width = Width(cells), width.isBlind else { return nil }
        return (metric, width)
      }
      let widest = widths.max { $0.width < $1.width }?.metric
      isNoisy = widest.flatMap { analysis.control?.cells[$0].flatMap(Width.init) }?.isBlind == true
    }

    /// Returns nil if the metric shows no difference that matters.
    private static func range(
      _ metric: Metric, _ rows: [WorkloadAnalysis.Row], _ analysis: WorkloadAnalysis
    ) -> String? {
      let cells = rows.compactMap { $0.cells[metric] }.sorted { $0.median < $1.median }
      guard let least = cells.first, let most = cells.last else { return nil }
      let values = least.number == most.number ? least.text : "\(least.number) to \(most.text)"
      if analysis.isUnproven(metric) {
        return "\(metric.name) \(values), not proven because \(analysis.differenceFromItself(metric))"
      }
      if cells.contains(where: \.judgement.counts) { return "\(metric.name) \(values)" }
      guard let width = Width(cells), width.isBlind, let name = analysis.reference?.contender.name else { return nil }
      let noise = analysis.control?.cells[metric].flatMap(Width.init)?.text
      return "\(metric.name) \(values), may differ by \(width.text)"
        + (noise.map { " (\(name) from itself: \($0))" } ?? "")
    }
  }
}

extension MetricCell {
  fileprivate var isVisiblyDifferent: Bool { judgement.isBetter || judgement.isWorse }

  /// The difference from the reference, such as `probably worse in throughput (0.75x [0.60, 0.82])`.
  fileprivate var claim: String {
    (judgement.counts ? "" : "probably ") + (judgement.isBetter ? "better" : "worse") + " in \(metric.name)"
      + (effectText.map { " (\($0))" } ?? "")
  }
}
