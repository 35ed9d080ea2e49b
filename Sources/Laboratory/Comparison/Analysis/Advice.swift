import Bytes

/// The answer to "which should I choose?" for one workload.
package struct Advice: Sendable {
  private static let striking = 2.0

  /// What one metric says.
  package struct Remark: Sendable {
    package let metric: Metric
    package let text: String
  }

  /// Who is not to be chosen, by what, and how far behind.
  package struct Loser: Sendable {
    package let name: String
    package let metric: Metric
    let cell: MetricCell
  }

  package let workload: Workload
  /// The strategies to choose from, in the order of the table; empty where too little was measured.
  package let choice: [String]
  /// Those that are as good or better, but break scenarios which the others hold.
  package let misbehaving: [String]
  /// Whether these are better.
  private let misbehaviourPays: Bool
  package let remarks: [Remark]
  /// In the order in which they went.
  package let losers: [Loser]
  /// In what some of a choice of several are better, though it does not decide here.
  package let asides: [String]
  /// Those of them that are too large to be left out of the first table.
  package let strikingAsides: [String]
  package let certainty: Certainty
  /// The medians that show it: `cores busy: 0.02 beside 0.93`, `last row ms: 21.1 to 23.7`.
  package let figures: String

  /// - Parameters:
  ///   - overHTTPS: whether only those that load https can be chosen.
  ///   - breaking: the strategies that break scenarios.
  package init(_ analysis: WorkloadAnalysis, overHTTPS: Bool = false, breaking: Set<String> = []) {
    workload = analysis.workload
    var group = analysis.rows.filter { row in
      row.contender.isChoice && !row.cells.isEmpty && (!overHTTPS || row.contender.loadsHTTPS != false)
    }
    var remarks: [Remark] = []
    var losers: [Loser] = []
    var lead: (names: Set<String>, certainty: Certainty)?
    var isSure = true
    var isBlind = false
    var pays = false
    for metric in analysis.workload.deciding {
      // Nothing is left to decide.
      if group.count == 1, !remarks.isEmpty { break }
      let judged = group.filter { $0.cells[metric] != nil && $0.cells[metric]?.judgement != .unknown }
      guard !judged.isEmpty, judged.count == group.count else { continue }
      let winners = Self.winners(judged, metric)
      let behind = judged.filter { row in !winners.contains { $0.contender == row.contender } }
      remarks.append(Remark(metric: metric, text: Self.text(winners, behind, metric, analysis)))
      losers += behind.compactMap { row in
        row.cells[metric].map { Loser(name: row.contender.name, metric: metric, cell: $0) }
      }
      if let certainty = Certainty(winners, ahead: analysis.reference, metric) {
        lead = (Set(winners.map(\.contender.name)), certainty)
      }
      // A tie that is only a lack of sight leaves the decision to what matters less.
      if analysis.isUnproven(metric) || isBlind, !behind.isEmpty { isSure = false }
      if behind.isEmpty, Width(winners, metric)?.isBlind == true { isBlind = true }
      group = winners
      let whole = judged.filter { !breaking.contains($0.contender.name) }
      if !whole.isEmpty, winners.allSatisfy({ breaking.contains($0.contender.name) }) {
        // Who breaks scenarios takes the choice from nobody who holds them.
        group += Self.winners(whole, metric)
        pays = true
      }
    }
    let names = remarks.isEmpty ? [] : group.map(\.contender.name)
    let whole = names.filter { !breaking.contains($0) }
    let choice = whole.isEmpty ? names : whole
    self.choice = choice
    misbehaving = whole.isEmpty ? [] : names.filter(breaking.contains)
    misbehaviourPays = pays
    self.remarks = remarks
    self.losers = losers.filter { !names.contains($0.name) }
    let chosen = group.filter { choice.contains($0.contender.name) }
    asides = chosen.count > 1 ? Self.asides(chosen, analysis.workload) : []
    strikingAsides = chosen.count > 1 ? Self.asides(chosen, analysis.workload, atLeast: Self.striking) : []
    if choice.isEmpty {
      certainty = .none
    } else if !isSure {
      certainty = .unsure
    } else if let lead, lead.names.isSuperset(of: choice) {
      certainty = lead.certainty
    } else if chosen.count > 1 {
      certainty = Certainty(level: chosen, remarks.map(\.metric), analysis.reference)
    } else {
      certainty = Certainty(aheadOf: self.losers)
    }
    figures = Self.figures(chosen, certainty.metric ?? remarks.last?.metric, beside: certainty.opponent, analysis)
  }

  private static func figures(
    _ chosen: [WorkloadAnalysis.Row], _ metric: Metric?, beside opponent: String?, _ analysis: WorkloadAnalysis
  ) -> String {
    guard let metric else { return "" }
    let cells = chosen.compactMap { $0.cells[metric] }.sorted { $0.median < $1.median }
    guard let least = cells.first, let most = cells.last else { return "" }
    let range = least.number == most.number ? least.number : "\(least.number) to \(most.number)"
    let other = analysis.rows.first { $0.contender.name == opponent }?.cells[metric].map { " beside \($0.number)" }
    return "\(least.title): \(range)\(other ?? "")"
  }

  /// The best of those that are clearly better than the reference, or else all that are not clearly worse.
  private static func winners(_ rows: [WorkloadAnalysis.Row], _ metric: Metric) -> [WorkloadAnalysis.Row] {
    let clear = rows.filter { $0.cells[metric]?.judgement.counts == true }
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

  /// What to choose, and how sure that is.
  package var sentence: String {
    guard !choice.isEmpty else { return "too little was measured to choose" }
    let verb = misbehaving.count == 1 ? "breaks" : "break"
    let others =
      misbehaving.isEmpty
      ? ""
      : " (\(misbehaving.listed(with: "and")) \(misbehaviourPays ? "better here" : "as well"), but \(verb) scenarios: see behaviour)"
    let names = choice.listed(with: "or")
    return (certainty == .unsure ? "probably \(names), not sure" : "choose \(names)") + others + certainty.text
  }

  /// `out: blocking by throughput (0.35x [0.34, 0.35])`
  package var sentenceOfLosers: String? {
    guard !losers.isEmpty else { return nil }
    let names = losers.map { loser in
      "\(loser.name) by \(loser.metric.name)" + (loser.cell.effectText.map { " (\($0))" } ?? "")
    }
    return "out: \(names.joined(separator: ", "))"
  }

  private static func isWorse(_ one: Double, _ other: Double, _ metric: Metric) -> Bool {
    metric.preference == .higher ? one < other : one > other
  }

  /// `best: socket 119 images/s (1.54x [1.31, 1.77]); behind: dataTask 77.1, async 78.0 (1.01x [0.97, 1.04])`
  private static func text(
    _ winners: [WorkloadAnalysis.Row], _ losers: [WorkloadAnalysis.Row], _ metric: Metric, _ analysis: WorkloadAnalysis
  ) -> String {
    let isBest = winners.contains { $0.cells[metric]?.judgement.counts == true }
    let head =
      if isBest {
        "best: "
      } else if winners.count == 1 {
        ""
      } else if let reference = analysis.reference, let width = Width(winners, metric) {
        "\(width.isBlind ? "up to \(width.text) apart from" : "level within \(width.text) of") \(reference.contender.name): "
      } else {
        "level: "
      }
    let behind = losers.isEmpty ? "" : "; behind: \(values(losers, metric))"
    let doubt = analysis.isUnproven(metric) ? " (unproven: \(analysis.differenceFromItself(metric)))" : ""
    return head + values(winners, metric) + behind + doubt
  }

  /// What some are better in, of the columns that decide nothing in this workload.
  private static func asides(_ rows: [WorkloadAnalysis.Row], _ workload: Workload, atLeast ratio: Double = 1)
    -> [String]
  {
    workload.columns.filter { !workload.deciding.contains($0) }.compactMap { metric in
      let better = rows.filter { row in
        guard let cell = row.cells[metric], cell.judgement.counts, cell.judgement.isBetter else { return false }
        return cell.effect?.leastReach ?? 1 >= ratio
      }
      return better.isEmpty ? nil : "better by \(metric.name), which does not decide here: \(values(better, metric))"
    }
  }

  static func areEqual(_ rows: [WorkloadAnalysis.Row], _ metric: Metric) -> Bool {
    let cells = rows.compactMap { $0.cells[metric] }
    return Set(cells.map(\.number)).count == 1 && cells.allSatisfy { $0.effectText ?? "equal" == "equal" }
  }

  /// Each value, with its unit at the first one, and beside the reference.
  private static func values(_ rows: [WorkloadAnalysis.Row], _ metric: Metric) -> String {
    let cells = rows.compactMap { row in row.cells[metric].map { (row.contender.name, $0) } }
    if cells.count > 1, areEqual(rows, metric) {
      return "\(cells.map(\.0).listed(with: "and")) \(cells[0].1.text)"
    }
    return cells.enumerated().map { index, named in
      let (name, cell) = named
      // What can be seen and does not count is marked as in the tables.
      let mark = cell.judgement.mark.hasSuffix("?") ? " \(cell.judgement.mark)" : ""
      let effect = cell.effectText.map { " (\($0)\(mark))" } ?? ""
      return "\(name) \(index == 0 ? cell.text : cell.number)\(effect)"
    }
    .joined(separator: ", ")
  }
}
