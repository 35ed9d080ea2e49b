import PlainText

/// The recommendation for each workload over each measured transport, with its confidence.
enum ChoiceTable {
  static func table(_ analysis: ComparisonAnalysis) -> ReportTable {
    let transports = analysis.transports
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
    return [ReportTable.Cell(ScreenCell.inShort(advice.choice, of: all)), ReportTable.Cell(certainty, isSure: true)]
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
}
