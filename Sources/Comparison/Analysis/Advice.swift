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
  package let workload: Workload
  /// The strategies to choose from, in the order of the table; empty where too little was measured.
  package let choice: [String]
  /// Those that are as good or better, but break scenarios which the others hold.
  package let misbehaving: [String]
  /// Whether these are better.
  private let misbehaviourPays: Bool
  package let remarks: [Remark]
  /// The metrics by which those to choose from could hardly be told apart, and the ratio below which no difference would have been
  /// seen.
  package let blurred: [(metric: Metric, resolution: Double)]
  /// How much better the choice is at least than the reference; nil where nothing but others' faults decided.
  private let margin: String?
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
    var pays = false
    var blurred: [(Metric, Double)] = []
    var margin: (names: Set<String>, text: String)?
    for metric in analysis.workload.deciding {
      // Nothing is left to decide.
      if group.count == 1, !remarks.isEmpty { break }
      let judged = group.filter { $0.cells[metric] != nil && $0.cells[metric]?.judgement != .unknown }
      guard !judged.isEmpty, judged.count == group.count else { continue }
      let resolution = analysis.resolution(metric)
      let winners = Self.winners(judged, metric)
      let losers = judged.filter { row in !winners.contains { $0.contender == row.contender } }
      let isUnproven = analysis.isUnproven(metric)
      remarks.append(
        Remark(
          metric: metric, text: Self.text(winners, losers, metric, Self.span(analysis, metric)),
          isUnproven: isUnproven))
      if let text = Self.margin(winners, metric, analysis.reference) {
        margin = (Set(winners.map(\.contender.name)), text)
      }
      // A tie that is only a lack of sight leaves the decision to what matters less.
      if isUnproven || isBlind, !losers.isEmpty { isSure = false }
      if losers.isEmpty, (resolution ?? 1) > Self.blindness { isBlind = true }
      if winners.count > 1, let resolution, resolution > Self.blindness, !Self.areEqual(winners, metric) {
        blurred.append((metric, resolution))
      }
      group = winners
      let whole = judged.filter { !breaking.contains($0.contender.name) }
      if !whole.isEmpty, winners.allSatisfy({ breaking.contains($0.contender.name) }) {
        // Who breaks scenarios takes the choice from nobody who holds them.
        group += Self.winners(whole, metric)
        pays = true
      }
    }
    self.blurred = group.count > 1 ? blurred : []
    let names = remarks.isEmpty ? [] : group.map(\.contender.name)
    let whole = names.filter { !breaking.contains($0) }
    choice = whole.isEmpty ? names : whole
    misbehaving = whole.isEmpty ? [] : names.filter(breaking.contains)
    let isAhead = margin?.names.isSuperset(of: whole.isEmpty ? names : whole) == true
    self.margin = isAhead ? margin?.text : nil
    self.remarks = remarks
    self.isSure = isSure
    misbehaviourPays = pays
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

  /// What to choose, and how far it is ahead.
  package var sentence: String {
    choice.isEmpty ? "too little was measured to choose" : names + (margin.map { ": \($0)" } ?? "")
  }

  /// What to choose, as a part of a sentence.
  package var names: String {
    let names = Self.list(choice)
    let verb = misbehaving.count == 1 ? "breaks" : "break"
    let others =
      misbehaving.isEmpty
      ? ""
      : " (\(Self.list(misbehaving, "and")) \(misbehaviourPays ? "better here" : "as well"), but \(verb) scenarios: see behaviour)"
    return (isSure ? "choose \(names)" : "probably \(names), not sure") + others
  }

  /// What speaks against leaning on a tie.
  package var doubt: String? {
    guard !blurred.isEmpty else { return nil }
    let limits = blurred.map { "under \(WorkloadAnalysis.ratio($0.resolution)) by \($0.metric.name)" }
    return "not told apart: differences \(Self.list(limits, "and")) would not have been seen"
  }

  private static func isWorse(_ one: Double, _ other: Double, _ metric: Metric) -> Bool {
    metric.preference == .higher ? one < other : one > other
  }

  /// `best: socket 119 images/s (1.54x [1.31, 1.77]); behind: dataTask 77.1, async 78.0 (1.01x [0.97, 1.04])`
  private static func text(
    _ winners: [WorkloadAnalysis.Row], _ losers: [WorkloadAnalysis.Row], _ metric: Metric, _ span: String
  ) -> String {
    let behind = losers.isEmpty ? "" : "; behind: \(values(losers, metric))"
    let isBest = winners.contains { $0.cells[metric]?.judgement.counts == true }
    if isBest || winners.count == 1 { return (isBest ? "best: " : "") + values(winners, metric) + behind }
    if areEqual(winners, metric) { return "level: \(values(winners, metric))\(behind)" }
    let width = span.isEmpty ? "" : ", none wholly outside \(span)"
    return "level\(width): \(values(winners, metric))\(behind)"
  }

  /// Between what a difference from the reference does not count, which depends on what could have been seen:
  /// `0.91x to 1.10x of dataTask`, `-2.1 to +2.3 ms of dataTask`. Empty where each difference counts.
  private static func span(_ analysis: WorkloadAnalysis, _ metric: Metric) -> String {
    let least = analysis.leastThatCounts(metric)
    guard least > 1, let reference = analysis.reference, let cell = reference.cells[metric], cell.median > 0 else {
      return ""
    }
    let isDifference = analysis.rows.contains { $0.cells[metric]?.effect?.kind == .difference }
    let ends =
      isDifference
      ? "-\(cell.scale.number(cell.median * (1 - 1 / least))) to +\(cell.scale.text(cell.median * (least - 1)))"
      : "\(WorkloadAnalysis.ratio(1 / least)) to \(WorkloadAnalysis.ratio(least))"
    return "\(ends) of \(reference.contender.name)"
  }

  /// `at least 4.8x better than dataTask by CPU for 1,000 images`, of the one of the best that is least ahead.
  private static func margin(
    _ winners: [WorkloadAnalysis.Row], _ metric: Metric, _ reference: WorkloadAnalysis.Row?
  ) -> String? {
    let cells = winners.compactMap { $0.cells[metric] }
    let ahead = cells.filter { $0.judgement.counts && $0.judgement.isBetter }
    guard ahead.count == winners.count, let reference,
      let least = ahead.min(by: { $0.effect?.leastReach ?? 1 < $1.effect?.leastReach ?? 1 }), let effect = least.effect,
      let interval = effect.interval, let reach = effect.leastReach
    else { return nil }
    let amount =
      effect.kind == .ratio
      ? WorkloadAnalysis.ratio(reach) : least.scale.text(min(abs(interval.low), abs(interval.high)))
    return "at least \(amount) better than \(reference.contender.name) by \(metric.name)"
  }

  private static func areEqual(_ rows: [WorkloadAnalysis.Row], _ metric: Metric) -> Bool {
    let cells = rows.compactMap { $0.cells[metric] }
    return Set(cells.map(\.number)).count == 1 && cells.allSatisfy { $0.effectText ?? "equal" == "equal" }
  }

  /// Each value, with its unit at the first one, and beside the reference.
  private static func values(_ rows: [WorkloadAnalysis.Row], _ metric: Metric) -> String {
    let cells = rows.compactMap { row in row.cells[metric].map { (row.contender.name, $0) } }
    if cells.count > 1, areEqual(rows, metric) {
      return "\(list(cells.map(\.0), "and")) \(cells[0].1.text)"
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

  /// `a, b or c`.
  package static func list(_ names: [String], _ word: String = "or") -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) \(word) \(last)"
  }
}
