/// The answer to "which should I choose?" for one workload.
package struct Advice: Sendable {
  /// What one metric says.
  package struct Remark: Sendable {
    package let metric: Metric
    package let text: String
    package let isUnproven: Bool
  }

  /// A tie says nothing where smaller differences than this one cannot be seen.
  private static let blindness = 1.25
  /// Who gains less than this has not won: other reasons weigh more.
  package static let leastGain = 1.1

  package let workload: Workload
  /// The strategies to choose from, in the order of the table; empty where too little was measured.
  package let choice: [String]
  /// Those that are as good, but break scenarios which the others hold.
  package let misbehaving: [String]
  package let remarks: [Remark]
  /// Whether the metrics that decided can be relied on.
  package let isSure: Bool

  /// - Parameters:
  ///   - overHTTPS: whether only those that load https can be chosen.
  ///   - breaking: the strategies that break scenarios.
  package init(_ analysis: WorkloadAnalysis, overHTTPS: Bool = false, breaking: Set<String> = []) {
    workload = analysis.workload
    var group = analysis.rows.filter { row in
      row.contender.isChoice && !row.cells.isEmpty && (!overHTTPS || row.contender.loadsHTTPS != false)
    }
    var remarks: [Remark] = []
    var isSure = true
    var isBlind = false
    for metric in analysis.workload.deciding {
      let judged = group.filter { $0.cells[metric] != nil && $0.cells[metric]?.judgement != .unknown }
      guard !judged.isEmpty, judged.count == group.count else { continue }
      let resolution = analysis.resolution(metric)
      let winners = Self.winners(judged, metric, resolution)
      let losers = judged.filter { row in !winners.contains { $0.contender == row.contender } }
      let isUnproven = analysis.isUnproven(metric)
      remarks.append(
        Remark(metric: metric, text: Self.text(winners, losers, metric, resolution), isUnproven: isUnproven))
      // A tie that is only a lack of sight leaves the decision to what matters less.
      if isUnproven || isBlind, !losers.isEmpty { isSure = false }
      if losers.isEmpty, (resolution ?? 1) > Self.blindness { isBlind = true }
      group = winners
    }
    let names = remarks.isEmpty ? [] : group.map(\.contender.name)
    let whole = names.filter { !breaking.contains($0) }
    choice = whole.isEmpty ? names : whole
    misbehaving = whole.isEmpty ? [] : names.filter(breaking.contains)
    self.remarks = remarks
    self.isSure = isSure
  }

  /// The best of those that are clearly better than the reference, or else all that are not clearly worse.
  private static func winners(
    _ rows: [WorkloadAnalysis.Row], _ metric: Metric, _ resolution: Double?
  ) -> [WorkloadAnalysis.Row] {
    let clear = rows.filter { $0.cells[metric]?.isClear(resolution) == true }
    let better = clear.filter { $0.cells[metric]?.judgement.isBetter == true }
    guard let best = better.compactMap({ $0.cells[metric] }).max(by: { isWorse($0.median, $1.median, metric) }),
      let own = best.interval
    else {
      let fine = rows.filter { row in !clear.contains { $0.contender == row.contender } }
      return fine.isEmpty ? rows : fine
    }
    // Those whose interval overlaps that of the best may be as good.
    return better.filter { row in
      guard let other = row.cells[metric]?.interval else { return false }
      return other.low <= own.high && own.low <= other.high
    }
  }

  /// What to choose, as a part of a sentence.
  package var sentence: String {
    if choice.isEmpty { return "too little was measured to choose" }
    let names = Self.list(choice)
    let verb = misbehaving.count == 1 ? "breaks" : "break"
    let others =
      misbehaving.isEmpty ? "" : " (\(Self.list(misbehaving, "and")) as well, but \(verb) scenarios: see behaviour)"
    return (isSure ? "choose \(names)" : "probably \(names), not sure") + others
  }

  private static func isWorse(_ one: Double, _ other: Double, _ metric: Metric) -> Bool {
    metric.preference == .higher ? one < other : one > other
  }

  private static func text(
    _ winners: [WorkloadAnalysis.Row], _ losers: [WorkloadAnalysis.Row], _ metric: Metric, _ resolution: Double?
  ) -> String {
    let values = Set(winners.compactMap { $0.cells[metric]?.text })
    var parts: [String]
    if winners.count > 1, values.count == 1, let cell = winners[0].cells[metric] {
      parts = ["\(list(winners.map(\.contender.name), "and")) \(value(cell))"]
    } else {
      parts = winners.map { text($0, metric) }
    }
    if winners.count > 1, losers.isEmpty {
      // That nothing was found means little where nothing could be.
      let seen = max(leastGain, resolution ?? 1)
      parts[parts.count - 1] += "; no difference that counts (under \(WorkloadAnalysis.ratio(seen)) none does here)"
    }
    return (parts + losers.map { text($0, metric) }).joined(separator: "; ")
  }

  /// `socket 119 images/s [107, 141] (1.54x [1.31, 1.77])`
  private static func text(_ row: WorkloadAnalysis.Row, _ metric: Metric) -> String {
    guard let cell = row.cells[metric] else { return "" }
    let likely = cell.judgement.isUnsure ? ", probably" : ""
    let effect = cell.effectText.map { " (\($0)\(likely))" } ?? ""
    return "\(row.contender.name) \(value(cell))\(effect)"
  }

  private static func value(_ cell: MetricCell) -> String {
    guard let interval = cell.interval, interval.low != interval.high else { return cell.text }
    return "\(cell.text) [\(cell.scale.number(interval.low)), \(cell.scale.number(interval.high))]"
  }

  /// `a, b or c`.
  package static func list(_ names: [String], _ word: String = "or") -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) \(word) \(last)"
  }
}
