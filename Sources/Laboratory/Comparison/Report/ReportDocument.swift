import PlainText

/// The content of a report. It starts with the screen, except for a record without workloads.
package struct ReportDocument: Sendable {
  package let blocks: [ReportBlock]

  /// - Parameter agreement: the comparison with a second record, or no blocks.
  package init(
    _ analysis: ComparisonAnalysis, behavior: BehaviorTable.Extent = .failing, agreement: [ReportBlock] = []
  ) {
    let screen = Screen(analysis)
    var blocks = (screen?.blocks ?? []) + agreement
    // The screen cuts the warnings.
    let warnings = analysis.warnings
    if screen?.warnings != warnings, !warnings.isEmpty {
      blocks += [.heading("Warnings")] + warnings.map(ReportBlock.warning)
    }
    let isShort = analysis.hasTooFewBlocks && !analysis.workloads.isEmpty
    blocks += isShort ? Self.medians(analysis) : Self.answers(analysis)
    for workload in analysis.workloads {
      blocks += WorkloadTable.blocks(workload, reference: analysis.reference, isShort: isShort)
    }
    blocks += BehaviorTable.blocks(analysis, isShort ? .none : behavior)
    if !analysis.workloads.isEmpty, !isShort {
      blocks +=
        ReportLegend.howToRead(analysis) + ReportLegend.strategies(analysis) + ReportLegend.columns(analysis)
        + ReportLegend.method(analysis)
    }
    self.blocks = blocks
  }

  package init(_ blocks: [ReportBlock]) { self.blocks = blocks }

  /// Returns a sentence for each workload, with its figures.
  private static func answers(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let isSeveral = analysis.transports.count > 1
    let answers = Workload.allCases.compactMap { workload -> ReportBlock? in
      let decisions = analysis.decisions.filter { $0.situation.workload == workload }
      guard let first = decisions.first else { return nil }
      let over = { (one: Decision) in isSeveral ? "over \(one.situation.transport.title), " : "" }
      let blocks =
        first.analysis.isSequential ? "; \(decisions.map { "\($0.blocks)" }.joined(separator: " and ")) blocks" : ""
      return .answer(
        subject: workload.rawValue, text: decisions.map { over($0) + $0.sentence }.joined(separator: "; "),
        reasons: ["measured: \(first.analysis.settings.summary)\(blocks)"]
          + decisions.flatMap { one in one.reasons.map { over(one) + $0 } })
    }
    return (answers.isEmpty ? [] : [.heading("What decides")]) + answers + behavior(analysis)
  }

  private static func behavior(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    BehaviorTable.sentence(analysis).map { [.answer(subject: "behavior", text: $0, reasons: [])] } ?? []
  }

  /// Returns the start of a report for which too few blocks were measured. It recommends nothing.
  private static func medians(_ analysis: ComparisonAnalysis) -> [ReportBlock] {
    let blocks = analysis.workloads.map(\.blocks).max() ?? 0
    return [
      .heading("Too few blocks to choose"),
      .paragraph(
        "The tables show medians of \(blocks.counted("block")), without intervals. At least 10 blocks are necessary for a "
          + "recommendation."),
    ] + behavior(analysis)
  }
}
