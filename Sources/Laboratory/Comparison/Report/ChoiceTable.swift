import Bytes

/// The opening answer of a report: the recommendation for each workload over each measured transport, with its
/// confidence.
enum ChoiceTable {
  static func blocks(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let transports = analysis.transports
    let notes = meanings(analysis) + notMeasured(analysis)
    let answers = [continuation(analysis), guess(analysis), never(analysis), otherSystems(analysis)]
    return [.table(table(analysis, transports))] + notes.map(ReportBlock.note)
      + transports.flatMap { TransportSummary.blocks(analysis, $0) }
      + answers.compactMap(\.self).map(ReportBlock.paragraph)
  }

  /// Describes the workloads, so that readers find those that resemble their app.
  private static func meanings(_ analysis: ComparisonAnalysis) -> [String] {
    let workloads = Set(analysis.workloads.map(\.workload))
    guard workloads.count > 1 else { return [] }
    let titles = Workload.allCases.filter(workloads.contains).map { workload in
      let size = analysis.workloads.first { $0.workload == workload }?.settings.sizes
      return "\(workload.rawValue): \(workload.title)\(size.map { " (\($0))" } ?? "")."
    }
    let mixed =
      workloads.isSuperset(of: [.gallery, .scroll])
      ? " A list of large images that scrolls is not measured: read gallery and scroll." : ""
    return ["Read each workload that resembles your app. " + titles.joined(separator: " ") + mixed]
  }

  private static func table(_ analysis: ComparisonAnalysis, _ transports: [Transport]) -> ReportTable {
    let hasFigures = transports.count == 1
    let header =
      ["workload"]
      + transports.flatMap { [$0 == .http && hasFigures ? "choose" : "over \($0.title)", "how sure"] }
      + (hasFigures ? ["medians"] : [])
    var table = ReportTable(header, wordColumns: Set(header.indices))
    let workloads = analysis.workloads.reduce(into: [Workload]()) {
      if !$0.contains($1.workload) { $0.append($1.workload) }
    }
    for workload in workloads {
      let advice = transports.map { transport in
        analysis.advice.first { $0.situation == Situation(workload, transport) }
      }
      let cells = zip(advice, transports).flatMap { advice, transport in
        advice.map { self.cells($0, analysis, transport) } ?? [.missing, .missing]
      }
      let figures = hasFigures ? [ReportTable.Cell(advice[0]?.figures ?? "")] : []
      table.add([ReportTable.Cell(workload.rawValue)] + cells + figures)
    }
    return table
  }

  private static func cells(
    _ advice: Advice, _ analysis: ComparisonAnalysis, _ transport: Transport
  ) -> [ReportTable.Cell] {
    let certainty = advice.certainty.inShort(beside: analysis.reference)
    guard advice.isDecided else {
      let spread = advice.open?.widest.map { advice.open?.isNoisy == true ? "noisy, up to \($0.text)" : $0.phrase }
      let isUnfit = advice.choice.isEmpty && !advice.misbehaving.isEmpty
      return [
        ReportTable.Cell(advice.choice.isEmpty ? "none" : undecided(advice, analysis, transport), isSure: false),
        ReportTable.Cell(isUnfit ? "see below" : spread ?? certainty, isSure: false),
      ]
    }
    let all = strategies(analysis, transport).map(\.name)
    return [ReportTable.Cell(inShort(advice.choice, of: all)), ReportTable.Cell(certainty, isSure: true)]
  }

  /// Returns `undecided`, or `undecided, not blocking` if only that strategy is eliminated.
  private static func undecided(
    _ advice: Advice, _ analysis: ComparisonAnalysis, _ transport: Transport
  ) -> String {
    let others = strategies(analysis, transport).map(\.name).filter { !advice.choice.contains($0) }
    return others.count == 1 ? "undecided, not \(others[0])" : "undecided"
  }

  /// The strategies that load images over a transport.
  static func strategies(_ analysis: ComparisonAnalysis, _ transport: Transport) -> [Contender] {
    analysis.record.settings.contenders.filter { $0.isChoice && !(transport.isSecure && $0.loadsHTTPS == false) }
  }

  /// Returns `dataTask or async`, or `any but blocking` if that is shorter.
  private static func inShort(_ choice: [String], of all: [String]) -> String {
    let others = all.filter { !choice.contains($0) }
    if others.isEmpty, choice.count > 1 { return "any" }
    let list = choice.listed(with: "or")
    let exclusion = "any but \(others.listed(with: "and"))"
    return choice.count > 2 && exclusion.count < list.count ? exclusion : list
  }

  /// Returns a note for each strategy and workload without https figures.
  private static func notMeasured(_ analysis: ComparisonAnalysis) -> [String] {
    guard analysis.transports.contains(where: \.isSecure) else { return [] }
    let plain = analysis.record.settings.contenders.filter { $0.isChoice && $0.loadsHTTPS == false }.map(\.name)
    let hasFlaky = analysis.workloads.contains { $0.workload == .flaky }
    return plain.map { "\($0): not over https." }
      + (hasFlaky ? ["flaky is not measured over https: the server in front would change its faults."] : [])
  }

  /// Returns the command that adds blocks to the undecided workloads, or nil if there are none.
  private static func continuation(_ analysis: ComparisonAnalysis) -> String? {
    let open = Set(analysis.advice.filter { $0.open != nil }.map(\.situation.workload))
    guard !open.isEmpty else { return nil }
    if analysis.record.settings.until != nil { return "A longer `--limit` adds blocks to the undecided workloads." }
    guard !open.contains(.url) else { return "More `--blocks` can decide." }
    let workloads = Workload.allCases.filter(open.contains).map(\.rawValue).joined(separator: ",")
    let transport =
      (analysis.transports.contains(where: \.isSecure) ? " --https" : "")
      + (analysis.transports.contains(.https1) ? " --http1" : "")
    let minutes = Int(ComparisonRecord.Until.usualLimit / 60)
    return "To add blocks until the undecided workloads are decided, for \(minutes) minutes at most: "
      + "`fetcher compare\(transport) --workload \(workloads) --until decided --wait-idle`."
  }

  /// Returns a guess for https from the http results, if https was not measured.
  private static func guess(_ analysis: ComparisonAnalysis) -> String? {
    guard let guess = analysis.guessForHTTPS else { return nil }
    let counts = strategies(analysis, .https2).map { strategy in
      (strategy.name, guess.count { $0.choice.contains(strategy.name) })
    }
    guard let most = counts.map(\.1).max(), most > 0 else { return nil }
    let best = counts.filter { $0.1 == most }.map(\.0)
    return "Over https: not measured; `fetcher compare --https` does. A guess from http: \(best.listed(with: "or"))."
  }

  private static func never(_ analysis: ComparisonAnalysis) -> String? {
    guard !analysis.unfit.isEmpty else { return nil }
    return analysis.unfit.map { "Never use \($0.strategy): it \($0.reason)." }.joined(separator: " ")
  }

  /// Returns the note about systems that were not measured.
  private static func otherSystems(_ analysis: ComparisonAnalysis) -> String? {
    guard analysis.record.machine.system.hasPrefix("Linux"),
      analysis.record.settings.contenders.contains(where: \.isChoice)
    else { return nil }
    let plain = analysis.record.settings.contenders.filter { $0.isChoice && $0.loadsHTTPS == false }.map(\.name)
    let unfit = analysis.unfit.map(\.strategy)
    let carries =
      ["what each strategy does, as the scenarios show"]
      + unfit.map { "never use \($0)" } + plain.map { "\($0) does not load https" }
    return
      "On iPhone and Mac: not measured, because URLSession is a different implementation there. This carries over: "
      + "\(carries.joined(separator: "; ")). This does not carry over: times, throughput, CPU time, memory and "
      + "connections, and so the choice between the other strategies. To choose between them, build FetcherModel into "
      + "your app, set its strategy, and measure time and peak memory on the device. Until then, choose what suits your "
      + "code."
  }
}
