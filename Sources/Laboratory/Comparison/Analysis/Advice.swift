import Bytes

/// The recommendation for one workload: the result of an elimination, in sentences.
package struct Advice: Sendable {
  /// The factor by which a strategy must be better in a non-deciding metric for the first table to mention it.
  private static let striking = 2.0

  /// The result of one metric.
  package struct Remark: Sendable {
    package let metric: Metric
    package let text: String
  }

  /// An eliminated strategy, with the metric that eliminated it.
  package struct Loser: Sendable {
    package let name: String
    package let metric: Metric
    let cell: MetricCell
  }

  package let workload: Workload
  /// The strategies to choose from, in table order. The list is empty if too little was measured.
  package let choice: [String]
  /// The strategies that are equally good or better, but fail scenarios that the others pass.
  package let misbehaving: [String]
  private let misbehaviourPays: Bool
  package let remarks: [Remark]
  /// The eliminated strategies, in elimination order.
  package let losers: [Loser]
  /// The non-deciding metrics in which some of several chosen strategies are better.
  package let asides: [String]
  /// The asides that are large enough for the first table.
  package let strikingAsides: [String]
  package let certainty: Certainty
  /// The medians behind the choice: `cores busy: 0.02 beside 0.93`, `last row ms: 21.1 to 23.7`.
  package let figures: String

  /// - Parameters:
  ///  - overHTTPS: whether the choice is limited to strategies that load https.
  ///  - breaking: the names of the strategies that fail scenarios.
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

  /// The choice and its confidence.
  package var sentence: String {
    guard !choice.isEmpty else { return "too few measurements to choose" }
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

  /// Returns the non-deciding columns of this workload in which some of several rows are better.
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

  /// Returns each value compared with the reference. Only the first value includes its unit.
  private static func values(_ rows: [WorkloadAnalysis.Row], _ metric: Metric) -> String {
    let cells = rows.compactMap { row in row.cells[metric].map { (row.contender.name, $0) } }
    if cells.count > 1, cells.map(\.1).areEqual {
      return "\(cells.map(\.0).listed(with: "and")) \(cells[0].1.text)"
    }
    return cells.enumerated().map { index, named in
      let (name, cell) = named
      // A visible difference that does not count has the same mark as in the tables.
      let mark = cell.judgement.mark.hasSuffix("?") ? " \(cell.judgement.mark)" : ""
      let effect = cell.effectText.map { " (\($0)\(mark))" } ?? ""
      return "\(name) \(index == 0 ? cell.text : cell.number)\(effect)"
    }
    .joined(separator: ", ")
  }
}
