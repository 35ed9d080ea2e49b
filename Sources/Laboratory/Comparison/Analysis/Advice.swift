import Bytes

/// The answer to "which should I choose?" for one workload: what an elimination says, in sentences.
package struct Advice: Sendable {
  /// How many times better a strategy has to be in a metric that does not decide, to be named in the first table.
  private static let striking = 2.0

  /// What one metric says.
  package struct Remark: Sendable {
    package let metric: Metric
    package let text: String
  }

  /// A strategy that is not to be chosen, with the metric by which it lost.
  package struct Loser: Sendable {
    package let name: String
    package let metric: Metric
    let cell: MetricCell
  }

  package let workload: Workload
  /// The strategies to choose from, in the order of the table; empty where too little was measured.
  package let choice: [String]
  /// The strategies that are as good or better, but fail scenarios which the others pass.
  package let misbehaving: [String]
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
  ///   - overHTTPS: whether only strategies that load https can be chosen.
  ///   - breaking: the names of the strategies that fail scenarios.
  package init(_ analysis: WorkloadAnalysis, overHTTPS: Bool = false, breaking: Set<String> = []) {
    let elimination = Elimination(analysis, overHTTPS: overHTTPS, breaking: breaking)
    let chosen = elimination.chosen
    workload = analysis.workload
    choice = chosen.map(\.contender.name)
    misbehaving = elimination.misbehaving.map(\.contender.name)
    misbehaviourPays = elimination.misbehaviourPays
    remarks = elimination.rounds.map { Remark(metric: $0.metric, text: Self.text($0, analysis)) }
    losers = elimination.losers.map { Loser(name: $0.row.contender.name, metric: $0.metric, cell: $0.cell) }
    asides = Self.asides(chosen, analysis.workload)
    strikingAsides = Self.asides(chosen, analysis.workload, atLeast: Self.striking)
    certainty = elimination.certainty(analysis.reference)
    figures = Self.figures(
      chosen, certainty.metric ?? remarks.last?.metric, beside: certainty.opponent, analysis)
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

  /// `best: socket 119 images/s (1.54x [1.31, 1.77]); behind: dataTask 77.1, async 78.0 (1.01x [0.97, 1.04])`
  private static func text(_ round: Elimination.Round, _ analysis: WorkloadAnalysis) -> String {
    let cells = round.winners.compactMap { $0.cells[round.metric] }
    let head =
      if cells.contains(where: \.judgement.counts) {
        "best: "
      } else if round.winners.count == 1 {
        ""
      } else if let reference = analysis.reference, let width = Width(cells) {
        "\(width.phrase(beside: reference.contender.name)): "
      } else {
        "level: "
      }
    let behind = round.behind.isEmpty ? "" : "; behind: \(values(round.behind, round.metric))"
    let doubt = round.isUnproven ? " (unproven: \(analysis.differenceFromItself(round.metric)))" : ""
    return head + values(round.winners, round.metric) + behind + doubt
  }

  /// In what some of several are better, of the columns that decide nothing in this workload.
  private static func asides(
    _ rows: [WorkloadAnalysis.Row], _ workload: Workload, atLeast ratio: Double = 1
  ) -> [String] {
    guard rows.count > 1 else { return [] }
    return workload.columns.filter { !workload.deciding.contains($0) }.compactMap { metric in
      let better = rows.filter { row in
        guard let cell = row.cells[metric], cell.judgement.counts, cell.judgement.isBetter else { return false }
        return cell.leastReach >= ratio
      }
      return better.isEmpty ? nil : "better by \(metric.name), which does not decide here: \(values(better, metric))"
    }
  }

  /// Each value, with its unit at the first one, and beside the reference.
  private static func values(_ rows: [WorkloadAnalysis.Row], _ metric: Metric) -> String {
    let cells = rows.compactMap { row in row.cells[metric].map { (row.contender.name, $0) } }
    if cells.count > 1, cells.map(\.1).areEqual {
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
