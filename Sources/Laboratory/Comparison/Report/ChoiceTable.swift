import Bytes

/// The opening answer of a report: the recommendation for each workload over each measured transport, with its
/// confidence.
enum ChoiceTable {
  static func blocks(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let transports = analysis.transports
    let highlights = analysis.advice.flatMap { one in
      one.highlights.map { "In \(transports.count > 1 ? one.situation.fullName : one.situation.name): \($0)." }
    }
    let notes = meanings(analysis) + deciding(analysis, transports) + highlights + notMeasured(analysis)
    let answers =
      transports.map { overall(analysis, $0) } + [UndecidedNote.text(analysis), guess(analysis), never(analysis)]
    return [.table(table(analysis, transports))] + notes.map(ReportBlock.note)
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
      ? " For a list of large images that scrolls, read gallery and scroll." : ""
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

  /// Names the metrics that decide. If there is only one transport, the table has a column with them.
  private static func deciding(_ analysis: ComparisonAnalysis, _ transports: [Transport]) -> [String] {
    guard transports.count > 1 else { return [] }
    return transports.compactMap { transport in
      let metrics = analysis.advice(over: transport).filter(\.isDecided).compactMap { advice in
        advice.certainty.metric.map { "\(advice.situation.workload.rawValue) by \($0.name)" }
      }
      return metrics.isEmpty ? nil : "Decided over \(transport.title): \(metrics.joined(separator: ", "))."
    }
  }

  private static func cells(
    _ advice: Advice, _ analysis: ComparisonAnalysis, _ transport: Transport
  ) -> [ReportTable.Cell] {
    let certainty = advice.certainty.inShort(beside: analysis.reference)
    guard advice.isDecided else {
      let isUnfit = advice.choice.isEmpty && !advice.misbehaving.isEmpty
      return [
        ReportTable.Cell(advice.choice.isEmpty ? "none" : "undecided", isSure: false),
        ReportTable.Cell(isUnfit ? "see below" : certainty, isSure: false),
      ]
    }
    let all = strategies(analysis, transport).map(\.name)
    return [ReportTable.Cell(inShort(advice.choice, of: all)), ReportTable.Cell(certainty, isSure: true)]
  }

  /// The strategies that load images over a transport.
  private static func strategies(_ analysis: ComparisonAnalysis, _ transport: Transport) -> [Contender] {
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

  /// Returns the strategies that most workloads recommend or do not rule out.
  private static func overall(_ analysis: ComparisonAnalysis, _ transport: Transport) -> String? {
    let advice = analysis.advice(over: transport)
    guard advice.count > 1, strategies(analysis, transport).count > 1 else { return nil }
    let over = analysis.transports.count > 1 || transport.isSecure ? " over \(transport.title)" : ""
    let remaining = strategies(analysis, transport).map { strategy in
      (name: strategy.name, advice: advice.filter { $0.choice.contains(strategy.name) })
    }
    guard let most = remaining.map(\.advice.count).max(), most > 0 else { return nil }
    let best = remaining.filter { $0.advice.count == most }
    let names = best.map(\.name)
    let decided = best[0].advice.count(where: \.isDecided)
    let head = "One for everything\(over): \(names.listed(with: "or"))"
    let share =
      if decided == advice.count {
        ", recommended in all \(advice.count) workloads."
      } else if decided == most {
        ", recommended in \(decided) of \(advice.count) workloads."
      } else {
        ", recommended in \(decided) of \(advice.count) workloads, undecided in \(most - decided)."
      }
    let notes = analysis.record.settings.contenders.filter { names.contains($0.name) }
      .compactMap { one in one.note.map { " \(one.name): \($0)." } }.joined()
    guard names.count > 1 else { return head + share + notes }
    return head + share
      + " These measurements do not decide between \(names.listed(with: "and")): choose what suits your code." + notes
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
  static func otherSystems(_ analysis: ComparisonAnalysis) -> ReportBlock? {
    guard analysis.record.machine.system.hasPrefix("Linux"),
      analysis.record.settings.contenders.contains(where: \.isChoice)
    else { return nil }
    let plain = analysis.record.settings.contenders.filter { $0.isChoice && $0.loadsHTTPS == false }.map(\.name)
    let unfit = analysis.unfit.map(\.strategy)
    let carries =
      ["what each strategy can do, as the scenarios show"]
      + unfit.map { "never use \($0)" } + plain.map { "\($0) does not load https" }
    return .paragraph(
      "On iPhone and Mac: not measured, because URLSession is a different implementation there. This carries over: "
        + "\(carries.joined(separator: "; ")). This does not carry over: times, throughput, CPU time, memory and "
        + "connections, and so the choice between the other strategies. To choose between them, measure your app on the "
        + "device.")
  }
}
