import PlainText

/// The recommendation for one workload: the result of an elimination, expressed in sentences.
package struct Advice: Sendable {
  /// The factor by which a strategy must be better in a non-deciding metric to be mentioned in the first table.
  private static let striking = 2.0

  /// A remark about the result of one metric.
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

  /// The best of the eliminated strategies.
  package struct RunnerUp: Sendable {
    package let name: String
    /// The smallest distance from the choice, such as `1.31x`.
    package let amount: String
    package let metric: Metric

    var text: String { "\(name) is at least \(amount) worse in \(metric.name)" }
  }

  package let situation: Situation
  /// The strategies to choose from, in table order. If the workload is undecided, it is unknown which of them is best.
  /// The list is empty if there are too few measurements, or if no measured strategy can be recommended.
  package let choice: [String]
  /// The strategies that are at least as good as the choice, but are never recommended.
  package let misbehaving: [String]
  private let misbehaviourPays: Bool
  package let remarks: [Remark]
  /// The eliminated strategies, in the order of their elimination.
  package let losers: [Loser]
  /// Remarks about non-deciding metrics in which some of the chosen strategies are better. Empty if only one strategy
  /// is chosen.
  package let asides: [String]
  /// The subset of ``asides`` about differences that are large enough for the start of the report.
  package let strikingAsides: [String]
  /// The open questions, or nil if the measurements support the choice.
  package let open: OpenQuestions?
  package let certainty: Certainty
  /// The medians on which the choice is based, such as `cores busy: 0.02 vs 0.93` or `last row ms: 21.1 to 23.7`.
  package let figures: String
  /// The strategies that the measurements do not exclude, in table order. They include the choice.
  package let possible: [String]
  /// The best eliminated strategy that can be recommended, or nil if there is none.
  package let runnerUp: RunnerUp?

  /// - Parameter unfit: the names of the strategies that are never recommended.
  package init(_ analysis: WorkloadAnalysis, unfit: Set<String> = []) {
    let elimination = Elimination(analysis, unfit: unfit)
    // Without the failed strategies, the choice would be among the others only.
    let isShort = analysis.lacksChoice(unfit)
    let chosen = isShort ? [] : elimination.chosen
    situation = analysis.situation
    choice = chosen.map(\.contender.name)
    misbehaving = isShort ? [] : elimination.misbehaving.map(\.contender.name)
    misbehaviourPays = elimination.misbehaviourPays
    remarks = elimination.rounds.map { Remark(metric: $0.metric, text: Self.text($0, analysis)) }
    losers = elimination.losers.map { Loser(name: $0.row.contender.name, metric: $0.metric, cell: $0.cell) }
    asides = Self.asides(chosen, analysis)
    strikingAsides = Self.asides(chosen, analysis, atLeast: Self.striking)
    certainty = isShort ? .none : elimination.certainty(analysis.reference)
    figures = Self.figures(
      chosen, certainty.metric ?? remarks.last?.metric, beside: certainty.opponent, analysis)
    open = choice.isEmpty || certainty.isSure ? nil : OpenQuestions(elimination, analysis)
    possible = isShort ? [] : elimination.possible.map(\.contender.name)
    runnerUp = isShort ? nil : Self.runnerUp(elimination, unfit)
  }

  /// The strategies of an undecided workload that are visibly better than the others. Empty if no difference is visible.
  package var probable: [String] {
    guard let open else { return [] }
    let better = possible.filter(open.better.contains)
    let rest = better.isEmpty ? possible.filter { !open.worse.contains($0) } : better
    return rest.count < possible.count ? rest : []
  }

  private static func runnerUp(_ elimination: Elimination, _ unfit: Set<String>) -> RunnerUp? {
    let costs = elimination.losers.filter { !unfit.contains($0.row.contender.name) }.compactMap { loser in
      // All distances are measured from the reference. Its own distance is in the cells of the chosen strategies.
      let cells = loser.cell.effect == nil ? elimination.chosen.compactMap { $0.cells[loser.metric] } : [loser.cell]
      return cells.min { $0.leastReach < $1.leastReach }.map { (loser, cell: $0) }
    }
    let least = costs.filter { $0.cell.judgement.counts }.min { $0.cell.leastReach < $1.cell.leastReach }
    return least.map { loser, cell in
      RunnerUp(name: loser.row.contender.name, amount: cell.smallestDifference, metric: loser.metric)
    }
  }

  /// Whether the measurements support the choice.
  package var isDecided: Bool { !choice.isEmpty && certainty.isSure }

  /// The recommendation in plain English, such as `choose socket: it needs at least 4.20x less CPU time than dataTask`.
  /// For an undecided workload, it names the remaining strategies.
  package var sentence: String {
    guard !choice.isEmpty else {
      return misbehaving.isEmpty
        ? "too few measurements to choose" : "no recommendation: \(misbehaving.listed(with: "and")) must not be used"
    }
    let names = choice.listed(with: "or")
    let verb = misbehaving.count == 1 ? "is" : "are"
    let others =
      misbehaving.isEmpty
      ? ""
      : "; \(misbehaving.listed(with: "and")) \(verb) \(misbehaviourPays ? "better" : "as good") here, but never recommended"
    return statement(names) + others
  }

  private func statement(_ names: String) -> String {
    let group = choice.listed(with: "and")
    switch certainty {
    case .ahead(let amount, let other, let metric):
      return "choose \(names): \(choice.count == 1 ? "it" : "each") \(metric.claim(amount, over: other))"
    case .level(let width, _, let metric) where width.isBlind:
      if choice.count == 1 {
        return "undecided: \(names) leads, but the measurements allow a difference of \(width.text) in \(metric.name)"
      }
      let widths = open?.widths.map { "\($0.width.text) in \($0.metric.name)" } ?? []
      return "undecided between \(group): they may differ by \(widths.listed(with: "and"))"
    case .level(let width, let reference, let metric):
      return "choose \(names): all are within \(width.text) of \(reference) in \(metric.name)"
    case .equal where choice.count == 1: return "choose \(names): no other strategy here can be recommended"
    case .equal: return "choose \(names): they are equal in the deciding metrics"
    case .unsure, .none:
      return "undecided: \(group) \(choice.count == 1 ? "leads" : "lead"), but the measurements do not prove it"
    }
  }

  private static func figures(
    _ chosen: [WorkloadAnalysis.Row], _ metric: Metric?, beside opponent: String?, _ analysis: WorkloadAnalysis
  ) -> String {
    guard let metric else { return "" }
    let cells = chosen.compactMap { $0.cells[metric] }.sorted { $0.median < $1.median }
    guard let least = cells.first, let most = cells.last else { return "" }
    let range = least.number == most.number ? least.number : "\(least.number) to \(most.number)"
    let other = analysis.rows.first { $0.contender.name == opponent }?.cells[metric].map { " vs \($0.number)" }
    return "\(least.title): \(range)\(other ?? "")"
  }

  /// Returns the result of a round, such as `best: socket 119 images/s (1.54x [1.31, 1.77]); behind: dataTask 77.1,
  /// async 78.0 (1.01x [0.97, 1.04])`.
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

  /// Returns remarks about the non-deciding columns in which some of the rows are better. Returns none if there is only
  /// one row.
  private static func asides(
    _ rows: [WorkloadAnalysis.Row], _ analysis: WorkloadAnalysis, atLeast ratio: Double = 1
  ) -> [String] {
    guard rows.count > 1 else { return [] }
    return analysis.columns.filter { !analysis.workload.deciding.contains($0) }.compactMap { metric in
      let better = rows.filter { row in
        guard let cell = row.cells[metric], cell.judgement.counts, cell.judgement.isBetter else { return false }
        return cell.leastReach >= ratio
      }
      return better.isEmpty
        ? nil : "better in \(metric.name), which is not a deciding metric here: \(values(better, metric))"
    }
  }

  /// Returns each value and its comparison with the reference. Only the first value includes the unit.
  private static func values(_ rows: [WorkloadAnalysis.Row], _ metric: Metric) -> String {
    let cells = rows.compactMap { row in row.cells[metric].map { (row.contender.name, $0) } }
    if cells.count > 1, cells.map(\.1).areEqual {
      return "\(cells.map(\.0).listed(with: "and")) \(cells[0].1.text)"
    }
    return cells.enumerated().map { index, named in
      let (name, cell) = named
      // A visible difference that does not count gets the same mark as in the tables.
      let mark = cell.judgement.mark.hasSuffix("?") ? " \(cell.judgement.mark)" : ""
      let effect = cell.effectText.map { " (\($0)\(mark))" } ?? ""
      return "\(name) \(index == 0 ? cell.text : cell.number)\(effect)"
    }
    .joined(separator: ", ")
  }
}

extension Metric {
  /// Returns the lead in words, such as `needs at least 4.20x less CPU time than dataTask`.
  fileprivate func claim(_ amount: String, over name: String) -> String {
    switch self {
    case .throughput: "loads at least \(amount) as many images per second as \(name)"
    case .cpu: "needs at least \(amount) less CPU time than \(name)"
    case .waiting: "uses at least \(amount) less CPU time while it waits than \(name)"
    case .memory: "needs at least \(amount) less memory than \(name)"
    case .wasted: "wastes at least \(amount) fewer bytes than \(name)"
    case .lastRow: "shows the last row at least \(amount) sooner than \(name)"
    case .picture: "shows the large picture at least \(amount) sooner than \(name)"
    case .mainStall: "blocks the main queue for at least \(amount) less time than \(name)"
    case .poolStall: "blocks the workers for at least \(amount) less time than \(name)"
    case .arrived: "loads at least \(amount) as many images as \(name)"
    case .kinds: "distinguishes at least \(amount) as many kinds of errors as \(name)"
    case .lost: "loses at least \(amount) less time per failure than \(name)"
    default: "is at least \(amount) better than \(name) in \(self.name)"
    }
  }
}
