import PlainText

/// The opening answer of a report: one line for each measured transport, and for what was not measured.
enum Summary {
  static func blocks(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let hasTransports = analysis.transports.count > 1 || analysis.transports.contains(where: \.isSecure)
    let measured = analysis.transports.map { transport in
      (hasTransports ? transport.title : "best", overall(analysis, transport))
    }
    let others = [
      ("https", guess(analysis)), ("never", never(analysis)), ("iPhone, Mac", otherSystems(analysis)),
      ("undecided", continuation(analysis)),
    ]
    return (measured + others).compactMap { subject, text in
      text.map { .answer(subject: subject, text: $0, reasons: []) }
    }
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
    let note = names.count == 1 ? analysis.record.settings.contenders.first { $0.name == names[0] }?.note : nil
    let isSame = best.allSatisfy { $0.1.map(\.situation) == best[0].1.map(\.situation) }
    let share =
      isSame
      ? share(best[0].1, of: advice.count, isGroup: names.count > 1)
      : "each recommended or undecided in \(most) of \(advice.count) workloads"
    return "\(names.listed(with: "or")), \(share).\(note.map { " \(names[0]): \($0)." } ?? "")\(lean(names, advice))"
  }

  /// Returns the workloads in which a strategy is recommended, and those in which it is undecided.
  private static func share(_ advice: [Advice], of all: Int, isGroup: Bool) -> String {
    let names = { (isDecided: Bool) in
      advice.filter { $0.isDecided == isDecided }.map(\.situation.workload.rawValue)
    }
    let decided = names(true)
    let list = decided.count == all ? "all \(all) workloads" : decided.listed(with: "and")
    return [
      decided.isEmpty ? "" : "\(isGroup ? "equally good" : "recommended") in \(list)",
      names(false).isEmpty ? "" : "undecided in \(names(false).listed(with: "and"))",
    ]
    .filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Returns what to do if several strategies remain.
  private static func lean(_ names: [String], _ advice: [Advice]) -> String {
    guard names.count > 1 else { return "" }
    let reasons = names.compactMap { reason($0, advice) }
    let rest = names.filter { name in !advice.contains { $0.open?.worse[name] != nil } }
    let better = rest.filter { name in advice.contains { $0.open?.better.contains(name) == true } }
    let start = " If you must choose now, take "
    if !better.isEmpty {
      let workloads = advice.filter { one in better.contains { one.open?.better.contains($0) == true } }
      return start + better.listed(with: "or") + ": probably better in "
        + workloads.map(\.situation.workload.rawValue).listed(with: "and") + "."
    }
    guard !reasons.isEmpty, !rest.isEmpty else { return " Take the one that suits your code." }
    return start + rest.listed(with: "or") + (rest.count > 1 ? ", whichever suits your code" : "")
      + ": \(reasons.listed(with: "and"))."
  }

  /// Returns text such as `downloadTask is probably worse in gallery; take it if peak memory matters more to you`.
  /// Returns nil if the strategy is visibly worse nowhere.
  private static func reason(_ name: String, _ advice: [Advice]) -> String? {
    let worse = advice.filter { $0.open?.worse[name] != nil }
    guard !worse.isEmpty else { return nil }
    let all = worse.compactMap { $0.open?.worse[name] }
    let gains = Set(all.flatMap(\.gains)).sorted()
    let costs = Set(all.flatMap(\.costs)).sorted()
    return "\(name) is probably worse in \(worse.map(\.situation.workload.rawValue).listed(with: "and"))"
      + (gains.isEmpty ? "" : "; take it if \(gains.listed(with: "and")) matters more to you")
      + (gains.isEmpty || costs.isEmpty ? "" : " (it costs \(costs.listed(with: "and")))")
  }

  /// Returns the command that measures the undecided workloads until they are decided, or nil if there are none.
  private static func continuation(_ analysis: ComparisonAnalysis) -> String? {
    let open = Set(analysis.advice.filter { $0.open != nil }.map(\.situation))
    guard !open.isEmpty else { return nil }
    if analysis.record.settings.until != nil { return "a longer `--limit` adds blocks" }
    guard !open.contains(where: { $0.workload == .url }) else { return "more `--blocks` can decide" }
    let workloads = Workload.allCases.filter { one in open.contains { $0.workload == one } }.map(\.rawValue)
    let transport =
      (open.contains(where: \.transport.isSecure) ? " --https" : "")
      + (open.contains { $0.transport == .https1 } ? " --http1" : "")
    let hasNetwork = analysis.workloads.contains { $0.settings.network != nil }
    let minutes = Int(ComparisonRecord.Until.usualLimit / 60)
    return "this measures these workloads again until they are decided, for \(minutes) minutes at most: "
      + "`fetcher compare\(transport) --workload \(workloads.joined(separator: ",")) --until decided --wait-idle`. "
      + (hasNetwork ? "Repeat the other options of this run" : "`--rtt 40ms --bandwidth 50Mbit` adds a network")
  }

  /// Returns a guess for https from the http results, if https was not measured.
  private static func guess(_ analysis: ComparisonAnalysis) -> String? {
    guard let guess = analysis.guessForHTTPS else { return nil }
    let counts = ChoiceTable.strategies(analysis, .https2).map { strategy in
      (strategy.name, guess.count { $0.choice.contains(strategy.name) })
    }
    guard let most = counts.map(\.1).max(), most > 0 else { return nil }
    let best = counts.filter { $0.1 == most }.map(\.0)
    return "not measured; `fetcher compare --https` does. A guess from http: \(best.listed(with: "or"))"
  }

  private static func never(_ analysis: ComparisonAnalysis) -> String? {
    guard !analysis.unfit.isEmpty else { return nil }
    return analysis.unfit.map { "\($0.strategy), because it \($0.reason)" }.joined(separator: "; ")
  }

  /// Returns the note about systems that were not measured.
  private static func otherSystems(_ analysis: ComparisonAnalysis) -> String? {
    guard analysis.record.machine.system.hasPrefix("Linux"),
      analysis.record.settings.contenders.contains(where: \.isChoice)
    else { return nil }
    let plain = analysis.record.settings.contenders.filter { $0.isChoice && $0.loadsHTTPS == false }.map(\.name)
    let unfit = analysis.unfit.map(\.strategy)
    let carries =
      ["what each strategy does (below), and what the scenarios show"]
      + unfit.map { "never use \($0)" } + plain.map { "\($0) does not load https" }
    return "not measured, because URLSession is a different implementation there. This carries over: "
      + "\(carries.joined(separator: "; ")). This does not carry over: times, throughput, CPU time, memory and "
      + "connections, and so the choice between the other strategies. Start with any that suits your code. To "
      + "decide, build FetcherModel into your app, select each strategy in turn with `environment.select(strategy:)`, and "
      + "measure time and peak memory on the device"
  }
}
