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
  package let remarks: [Remark]
  /// Whether each difference that led to the choice is sure.
  package let isSure: Bool

  /// - Parameter overHTTPS: whether only those that load https can be chosen.
  package init(_ analysis: WorkloadAnalysis, overHTTPS: Bool = false) {
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
      let winners = Self.winners(judged, metric)
      let losers = judged.filter { row in !winners.contains { $0.contender == row.contender } }
      remarks.append(
        Remark(
          metric: metric, text: Self.text(winners, losers, metric, analysis.resolution(metric)),
          isUnproven: analysis.isUnproven(metric)))
      let deciding =
        losers.filter { $0.cells[metric]?.judgement.isWorse == true } + winners.filter { Self.gains($0, metric) }
      if deciding.contains(where: { $0.cells[metric]?.judgement.isUnsure == true }) || analysis.isUnproven(metric) {
        isSure = false
      }
      // A tie that is only a lack of sight leaves the decision to what matters less.
      if isBlind, !losers.isEmpty { isSure = false }
      if losers.isEmpty, (analysis.resolution(metric) ?? 1) > Self.blindness { isBlind = true }
      group = winners
    }
    choice = remarks.isEmpty ? [] : group.map(\.contender.name)
    self.remarks = remarks
    self.isSure = isSure
  }

  /// The best of those that are better than the reference, or else all that are as good.
  private static func winners(_ rows: [WorkloadAnalysis.Row], _ metric: Metric) -> [WorkloadAnalysis.Row] {
    let better = rows.filter { gains($0, metric) }
    guard !better.isEmpty else {
      let fine = rows.filter { $0.cells[metric]?.judgement.isWorse == false }
      return fine.isEmpty ? rows : fine
    }
    let cells = better.compactMap { $0.cells[metric] }
    guard let best = cells.max(by: { isWorse($0.median, $1.median, metric) }), let own = best.interval else {
      return better
    }
    // Those whose interval overlaps that of the best may be as good.
    return better.filter { row in
      guard let other = row.cells[metric]?.interval else { return false }
      return other.low <= own.high && own.low <= other.high
    }
  }

  private static func gains(_ row: WorkloadAnalysis.Row, _ metric: Metric) -> Bool {
    guard let cell = row.cells[metric], cell.judgement.isBetter else { return false }
    return cell.effect?.isAtLeast(leastGain) == true
  }

  /// What to choose, as a part of a sentence.
  package var sentence: String {
    if choice.isEmpty { return "too little was measured to choose" }
    let names = Self.list(choice)
    return isSure ? "choose \(names)" : "probably \(names), not sure"
  }

  private static func isWorse(_ one: Double, _ other: Double, _ metric: Metric) -> Bool {
    metric.preference == .higher ? one < other : one > other
  }

  private static func text(
    _ winners: [WorkloadAnalysis.Row], _ losers: [WorkloadAnalysis.Row], _ metric: Metric, _ resolution: Double?
  ) -> String {
    var parts = [winners.compactMap { $0.cells[metric] }.first.map { cell in value(cell, metric) } ?? ""]
    if winners.count == 1, let cell = winners[0].cells[metric], cell.judgement.isBetter, let effect = cell.effectText {
      parts[0] += " (\(effect)\(cell.judgement.isUnsure ? ", probably" : ""))"
    }
    if winners.count > 1 {
      // That nothing was found means little where nothing could be.
      let blind = resolution.map { $0 > 1.05 ? " (under \(WorkloadAnalysis.ratio($0)) none can be seen)" : "" } ?? ""
      parts[0] += losers.isEmpty ? ", no difference found\(blind)" : " for \(list(winners.map(\.contender.name)))"
    }
    for loser in losers {
      guard let cell = loser.cells[metric] else { continue }
      let likely = cell.judgement.isUnsure ? ", probably" : ""
      let effect = cell.effectText.map { " (\($0)\(likely))" } ?? ""
      parts.append("\(loser.contender.name) \(cell.text)\(effect)")
    }
    return parts.joined(separator: "; ")
  }

  private static func value(_ cell: MetricCell, _ metric: Metric) -> String {
    let unit = metric.unit
    guard let interval = cell.interval, interval.low != interval.high else { return cell.text + unit.suffix }
    return "\(cell.text)\(unit.suffix) [\(unit.text(interval.low)), \(unit.text(interval.high))]"
  }

  /// `a, b or c`.
  package static func list(_ names: [String], _ word: String = "or") -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) \(word) \(last)"
  }
}
