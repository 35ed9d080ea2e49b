import PlainText

/// A decision in words.
extension Decision {
  /// The decision in a few words, such as `dataTask or async (tie)`. If there is room, a decision that is sure also names
  /// the strategies that lost, except those that are never recommended.
  ///
  /// - Parameters:
  ///   - all: the names of the strategies that load images over the transport.
  ///   - width: the number of characters that fit.
  func inShort(among all: [String], to width: Int) -> String {
    if degree == .none { return misbehaving.isEmpty ? "no result: too few valid blocks" : "none can be recommended" }
    if all.count == 1 { return "\(all[0]), the only one" }
    if degree == .undecided { return open(among: all, to: width) }
    let text = strategies.listed(with: "or")
    let lost = isSure ? all.filter { !strategies.contains($0) && !unfit.contains($0) } : []
    let whole = lost.isEmpty ? text : "\(text), not \(lost.listed(with: "or"))"
    let texts = [whole, text, exclusion(from: all)].map { "\($0) (\(howSure))" }
    return texts.first { $0.count <= width } ?? texts[2]
  }

  /// One word for how sure a decision is that has been made.
  private var howSure: String {
    let isAhead = if case .ahead = basis { true } else { false }
    return degree == .probably ? "likely" : isAhead ? "best" : "tie"
  }

  private func exclusion(from all: [String]) -> String {
    let others = all.filter { !strategies.contains($0) }
    return others.isEmpty ? "any" : "any but \(others.listed(with: "and"))"
  }

  /// The strategies that can still be the best, and the largest difference that is possible between them, such as
  /// `open: dataTask or async, ≤1.6x`.
  private func open(among all: [String], to width: Int) -> String {
    let names = [strategies.listed(with: "or"), exclusion(from: all)]
    guard let widest = widths.max(by: { $0.width < $1.width }) else { return "open: \(names[0])" }
    let amount = "≤\(widest.width.rounded)"
    let texts =
      [names.map { "open: \($0), \(amount) \(widest.metric.name)" }, names.map { "open: \($0), \(amount)" }]
      .flatMap(\.self)
    return texts.first { $0.count <= width } ?? texts[texts.count - 1]
  }

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

  /// The cost of the best of the other strategies, such as `async has at least 24 % lower throughput`. Nil if the
  /// decision is open.
  var cost: String? {
    isSure ? runnerUp.map { "\($0.name) has at least \($0.cell.leastLoss) \($0.cell.metric.name)" } : nil
  }

  /// The visible differences of an open decision, such as `downloadTask: probably 18 to 40 % less throughput, but
  /// 21 to 25 % less peak memory than dataTask`.
  var visible: [String] {
    differences.map { name, cells in
      let gains = cells.filter(\.judgement.isBetter).map(\.claim).listed(with: "and")
      let losses = cells.filter { !$0.judgement.isBetter }.map(\.claim).listed(with: "and")
      return "\(name): \([losses, gains].filter { !$0.isEmpty }.joined(separator: ", but ")) than \(reference)"
    }
  }

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

extension MetricCell {
  /// The difference from the reference, such as `probably 18 to 40 % less throughput`.
  fileprivate var claim: String { "\(judgement.counts ? "" : "probably ")\(range) \(metric.name)" }

  /// The interval of the difference, such as `18 to 40 % less`.
  private var range: String {
    guard let effect, effect.direction != .none, let interval = effect.interval else { return "other" }
    let words = metric.kind == "time" ? ("shorter", "longer") : ("less", "more")
    let side = effect.direction == .lower ? words.0 : words.1
    if let distance = effect.distance {
      return "\(scale.number(distance.lowerBound)) to \(scale.text(distance.upperBound)) \(side)"
    }
    if interval.low >= 2 { return "\(interval.low.decimals(1)) to \(interval.high.decimals(1)) times as much" }
    let shares = [interval.low, interval.high].map { (abs($0 - 1) * 100).rounded() }.sorted()
    return "\(Set(shares).sorted().map { $0.decimals(0) }.joined(separator: " to ")) % \(side)"
  }

  /// The smallest loss of a strategy that is behind, such as `24 % lower`.
  var leastLoss: String {
    let isLower = metric.preference == .higher
    guard effect?.distance == nil else { return "\(smallestDifference) \(isLower ? "lower" : "higher")" }
    guard isLower || leastReach < 2 else { return "\(leastReach.decimals(1)) times the" }
    let share = isLower ? 1 - 1 / leastReach : leastReach - 1
    return "\((share * 100).rounded(.down).decimals(0)) % \(isLower ? "lower" : "higher")"
  }
}

extension Metric {
  /// What the metric measures, in one or two words. For cells in which the name does not fit.
  fileprivate var kind: String {
    switch unit {
    case .cpu, .cores: "CPU time"
    case .seconds where self != .cpuTime: "time"
    default: name
    }
  }

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
