/// A table of the decisions in a sequential comparison, with a description of the method.
enum DecisionTable {
  static func blocks(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    guard let until = analysis.record.settings.until, !analysis.workloads.isEmpty else { return [] }
    let bound = Width.limit.asRatio
    var table = ReportTable(["workload", "blocks", "decision"], wordColumns: [0, 2])
    for decision in analysis.decisions {
      table.add([
        ReportTable.Cell(decision.situation.name), ReportTable.Cell("\(decision.blocks)"),
        ReportTable.Cell(text(decision.verdict, bound)),
      ])
    }
    let seconds = until.limit.decimals(0)
    let limit = until.limit.remainder(dividingBy: 60) == 0 ? "\(Int(until.limit / 60)) min" : "\(seconds) s"
    return [
      .heading("Until decided"),
      .paragraph(
        "Blocks were added until each workload was decided, for \(limit) at most. With "
          + "\(((1 - until.error) * 100).decimals(0)) % confidence, all decisions of a workload are correct, no matter when the "
          + "comparison stopped."
      ),
      .table(table),
      .note(
        "The intervals come from bets on the median (Waudby-Smith and Ramdas 2024; Howard and Ramdas 2022). Ahead: the whole "
          + "interval is beyond \(bound). Equal: it lies within \(bound). A difference near \(bound) stays undecided."),
      .note("A decided strategy gets no further blocks, so its medians come from fewer blocks."),
    ]
  }

  private static func text(_ verdict: Decision.Verdict, _ bound: String) -> String {
    switch verdict {
    case .ahead: "ahead"
    case .equal: "equal within \(bound)"
    case .undecided: "undecided at the limit"
    }
  }
}
