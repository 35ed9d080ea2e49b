import PlainText

/// The sentences of the screen. Each of them is about the measured situations only.
struct ScreenNotes {
  private let analysis: ComparisonAnalysis

  init(_ analysis: ComparisonAnalysis) { self.analysis = analysis }

  /// States what to take, and what the words of the table mean.
  func take(_ rows: [Screen.Row]) -> String {
    guard !analysis.hasTooFewBlocks else {
      return "nothing yet: an interval needs at least \(WorkloadAnalysis.fewestBlocks) valid blocks of each strategy."
    }
    let confidence = (1 - (analysis.record.settings.until?.error ?? PairedEffect.significance)) * 100
    let isProbable = rows.contains { $0.cells.contains { $0.degree == .probably } }
    return
      "the strategy in the row of your app; of several names, any. Sure: ahead by \(Width.limit.asRatio), or level within "
      + "it, with \(confidence.decimals(0)) % confidence.\(isProbable ? " Probably: visible, but not proven." : "")"
  }

  /// States which strategies are never recommended, and why.
  var never: String? {
    guard !analysis.unfit.isEmpty else { return nil }
    return analysis.unfit.map { "\($0.strategy): it \($0.reason)" }.joined(separator: "; ") + "."
  }

  /// States what the best of the other strategies cost, and the visible differences of undecided rows.
  var runnerUp: String? {
    guard !analysis.hasTooFewBlocks else { return nil }
    let clauses = Workload.allCases.flatMap { workload in
      costs(analysis.advice.filter { $0.situation.workload == workload }).map { "\(workload.situation)\($0)" }
    }
    guard clauses.isEmpty else { return Self.fitting(clauses) }
    guard analysis.advice.contains(where: \.isDecided) else {
      return "not known: no difference between the named strategies is visible."
    }
    let unfit = analysis.unfit.map(\.strategy)
    let others = unfit.isEmpty ? "" : " but \(unfit.listed(with: "and"))"
    return "none: in each sure row, all strategies\(others) are level, so any of them costs the same."
  }

  /// Returns the costs in one workload, each with its transport. Equal costs over http and https are one text.
  private func costs(_ advice: [Advice]) -> [String] {
    let isSeveral = analysis.transports.count > 1
    let over = { (one: Advice) in isSeveral ? " over \(one.situation.transport.isSecure ? "https" : "http")" : "" }
    if advice.count == 2, let first = advice[0].runnerUp, let second = advice[1].runnerUp,
      first.name == second.name, first.metric == second.metric
    {
      return [": \(first.text) (https: \(second.amount))"]
    }
    return advice.flatMap { one -> [String] in
      let texts = one.isDecided ? [one.runnerUp?.text].compactMap(\.self) : one.open?.differences ?? []
      return texts.map { "\(over(one)): \($0)" }
    }
  }

  /// The name of the strategy that shows what the machine allows without Foundation, and its leads.
  var machine: (subject: String, text: String)? {
    guard let floor = analysis.record.settings.contenders.first(where: { $0.role == .floor })?.name else { return nil }
    let leads = analysis.workloads.compactMap { workload -> (reach: Double, text: String)? in
      let metric = workload.workload.deciding[0]
      guard let cell = workload.rows.first(where: { $0.contender.name == floor })?.cells[metric],
        cell.judgement.counts, let effect = cell.effectText?.prefix(while: { $0 != "[" })
      else { return nil }
      return (cell.leastReach, "\(metric.name) \(effect)(\(workload.workload.situation))")
    }
    let texts = leads.sorted { $0.reach > $1.reach }.prefix(2).map(\.text)
    let start = "only the machine's reference, never a choice."
    let found = (0...texts.count).map { count in
      count == 0
        ? start : "\(start) Compared with \(analysis.reference): \(texts.prefix(count).joined(separator: ", "))."
    }
    return (floor, found.last { Screen.cut($0, to: 2) == $0 } ?? start)
  }

  /// States what the numbers do not cover.
  var notMeasured: String? {
    let isLinux = analysis.record.machine.system.hasPrefix("Linux")
    let settings = analysis.record.settings.workloads
    let phone = isLinux ? "iPhone and Mac: URLSession differs there, and only \"never\" carries over" : nil
    let network: String? =
      if settings.contains(where: { $0.network != nil }) {
        "a real network, which loses packets"
      } else if settings.contains(where: { $0.workload != .url }) {
        "a real network (`--rtt 40ms --bandwidth 50Mbit` simulates one)"
      } else {
        nil
      }
    let parts = [phone, network].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ") + "."
  }

  /// Joins as many clauses as fit into two lines.
  private static func fitting(_ clauses: [String]) -> String {
    let texts = (1...clauses.count).map { count in
      clauses.prefix(count).joined(separator: "; ") + (count < clauses.count ? "; more in `--details`." : ".")
    }
    return texts.last { Screen.cut($0, to: 2) == $0 } ?? texts[0]
  }
}
