import Bytes

/// The answer for one transport: the strategies that most workloads recommend, and what each workload leaves open.
enum TransportSummary {
  static func blocks(_ analysis: ComparisonAnalysis, _ transport: Transport) -> [ReportBlock] {
    let overall = overall(analysis, transport).map { [ReportBlock.paragraph($0)] } ?? []
    return overall + notes(analysis.advice(over: transport), analysis).map(ReportBlock.note)
  }

  /// Returns the strategies that most workloads recommend or do not rule out.
  private static func overall(_ analysis: ComparisonAnalysis, _ transport: Transport) -> String? {
    let advice = analysis.advice(over: transport)
    let strategies = ChoiceTable.strategies(analysis, transport)
    guard advice.count > 1, strategies.count > 1 else { return nil }
    let remaining = strategies.map { one in (one.name, advice.filter { $0.choice.contains(one.name) }) }
    guard let most = remaining.map(\.1.count).max(), most > 0 else { return nil }
    let best = remaining.filter { $0.1.count == most }
    let names = best.map(\.0)
    let over = analysis.transports.count > 1 || transport.isSecure ? " over \(transport.title)" : ""
    let notes = analysis.record.settings.contenders.filter { names.contains($0.name) }
      .compactMap { one in one.note.map { " \(one.name): \($0)." } }.joined()
    return "One for everything\(over): \(names.listed(with: "or")), \(share(best[0].1, of: advice.count))."
      + lean(names, advice) + notes
  }

  /// Returns the workloads in which a strategy is recommended, and those in which it is undecided.
  private static func share(_ advice: [Advice], of all: Int) -> String {
    let names = { (isDecided: Bool) in
      advice.filter { $0.isDecided == isDecided }.map(\.situation.workload.rawValue)
    }
    let decided = names(true)
    let list = decided.count == all ? "all \(all) workloads" : decided.listed(with: "and")
    return [
      decided.isEmpty ? "" : "recommended in \(list)",
      names(false).isEmpty ? "" : "undecided in \(names(false).listed(with: "and"))",
    ]
    .filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Returns what to do if several strategies remain.
  private static func lean(_ names: [String], _ advice: [Advice]) -> String {
    guard names.count > 1 else { return "" }
    let group = " These measurements do not decide between \(names.listed(with: "and"))"
    let reasons = names.compactMap { reason($0, advice) }
    let rest = names.filter { name in !advice.contains { $0.open?.worse[name] != nil } }
    guard !reasons.isEmpty, !rest.isEmpty else { return group + ": choose what suits your code." }
    return group + ". If you must choose now, take \(rest.listed(with: "or")): \(reasons.listed(with: "and"))."
  }

  /// Returns text such as `downloadTask is probably worse in feed and gallery (but better in peak memory)`. Returns nil
  /// if the strategy is visibly worse nowhere.
  private static func reason(_ name: String, _ advice: [Advice]) -> String? {
    let worse = advice.compactMap { one in
      one.open?.worse[name].map { gains in
        one.situation.workload.rawValue + (gains.isEmpty ? "" : " (but better in \(gains.listed(with: "and")))")
      }
    }
    return worse.isEmpty ? nil : "\(name) is probably worse in \(worse.listed(with: "and"))"
  }

  private static func notes(_ advice: [Advice], _ analysis: ComparisonAnalysis) -> [String] {
    let decided = advice.filter(\.isDecided)
    let leads = decided.compactMap { one -> String? in
      guard case .ahead(_, _, let metric) = one.certainty else { return nil }
      return "\(one.situation.workload.rawValue) by \(metric.name)"
    }
    let level = decided.filter { if case .ahead = $0.certainty { false } else { true } }.map { one in
      one.situation.workload.rawValue + (one.figures.isEmpty ? "" : " (\(one.figures))")
    }
    let open = advice.compactMap { one in
      one.open.map { open in
        "\(one.situation.workload.rawValue) is undecided: \(open.ranges.joined(separator: "; "))."
          + open.differences.map { " \($0)." }.joined()
      }
    }
    let asides = advice.flatMap { one in one.strikingAsides.map { "\(one.situation.workload.rawValue): \($0)." } }
    return (leads.isEmpty ? [] : ["Decided: \(leads.joined(separator: ", "))."])
      + (level.isEmpty ? [] : ["Level in every deciding metric: \(level.joined(separator: ", "))."]) + open + asides
  }
}
