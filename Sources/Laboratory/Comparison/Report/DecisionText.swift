import PlainText

/// A decision in words.
extension Decision {
  /// The decision and what it is based on, such as `choose async: it needs at least 4.20x less CPU time than dataTask`.
  var sentence: String {
    let group = strategies.listed(with: "and")
    let statement =
      switch basis {
      case .ahead(let amount, let other, let metric):
        "choose \(strategies.listed(with: "or")): \(strategies.count == 1 ? "it" : "each") "
          + metric.claim(amount, over: other)
      case .level(let width, let metric):
        "choose \(strategies.listed(with: "or")): all are within \(width.text) of \(reference) in \(metric.name)"
      case .equal where strategies.count == 1: "choose \(group): no other strategy here can be recommended"
      case .equal: "choose \(strategies.listed(with: "or")): they are equal in the deciding metrics"
      case nil where degree == .none && misbehaving.isEmpty: "too few measurements to choose"
      case nil where degree == .none: "no recommendation: \(misbehaving.listed(with: "and")) must not be used"
      case nil where degree == .probably: "probably \(strategies.listed(with: "or")), but not proven"
      case nil where strategies.count == 1: "open: \(group) leads, but the measurements do not prove it"
      case nil: "open between \(group)"
      }
    let amounts = widths.map { "\($0.width.text) in \($0.metric.name)" }.listed(with: "and")
    let doubt = widths.isEmpty ? "" : ": the measurements allow a difference of \(amounts)"
    let isOne = misbehaving.count == 1
    let others =
      misbehaving.isEmpty || degree == .none
      ? ""
      : "; \(misbehaving.listed(with: "and")) \(isOne ? "is" : "are") \(unfitIsBetter ? "better" : "as good") here, but "
        + "never recommended"
    return statement + doubt + others
  }

  /// The result of each metric, and the gains of the leaders in metrics that do not decide.
  var reasons: [String] { rounds.map { "\($0.metric.name): \(text($0))" } + asides }

  private var reference: String { analysis.reference?.name ?? "the reference" }

  /// Returns the result of a round, such as `best: async 119 images/s (1.54x [1.31, 1.77]); behind: dataTask 77.1,
  /// downloadTask 78.0 (1.01x [0.97, 1.04])`.
  private func text(_ round: Round) -> String {
    let cells = round.winners.compactMap { $0.cells[round.metric] }
    let head =
      if cells.contains(where: \.judgement.counts) {
        "best: "
      } else if round.winners.count == 1 {
        ""
      } else if let width = Width(cells) {
        "\(width.phrase) \(width.isBlind ? "from" : "of") \(reference): "
      } else {
        "level: "
      }
    let behind = round.behind.isEmpty ? "" : "; behind: \(Self.values(round.behind, round.metric))"
    let doubt = round.isUnproven ? " (unproven: \(analysis.differenceFromItself(round.metric)))" : ""
    return head + Self.values(round.winners, round.metric) + behind + doubt
  }

  private var asides: [String] {
    guard leaders.count > 1 else { return [] }
    return analysis.columns.filter { !analysis.workload.deciding.contains($0) }.compactMap { metric in
      let better = leaders.filter { row in row.cells[metric].map { $0.judgement == .better(isSure: true) } == true }
      return better.isEmpty
        ? nil : "better in \(metric.name), which is not a deciding metric here: \(Self.values(better, metric))"
    }
  }

  /// Returns each value and its comparison with the reference. Only the first value includes the unit.
  private static func values(_ rows: [Row], _ metric: Metric) -> String {
    let cells = rows.compactMap { row in row.cells[metric].map { (row.name, $0) } }
    if cells.count > 1, cells.map(\.1).areEqual { return "\(cells.map(\.0).listed(with: "and")) \(cells[0].1.text)" }
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
    case .cpu, .cpuTime: "needs at least \(amount) less CPU time than \(name)"
    case .waiting: "uses at least \(amount) less CPU time while it waits than \(name)"
    case .memory: "needs at least \(amount) less memory than \(name)"
    case .wasted: "wastes at least \(amount) fewer bytes than \(name)"
    case .lastRow, .lastPicture: "shows the last picture at least \(amount) sooner than \(name)"
    case .arrived: "loads at least \(amount) as many images as \(name)"
    case .lost: "loses at least \(amount) less time per failure than \(name)"
    default: "is at least \(amount) better than \(name) in \(self.name)"
    }
  }
}
