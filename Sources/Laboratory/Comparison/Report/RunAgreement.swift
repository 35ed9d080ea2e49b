/// The agreement between two comparisons. Two comparisons agree if their intervals overlap for each deciding ratio.
package struct RunAgreement: Sendable {
  package struct Line: Sendable {
    package let situation: Situation
    package let metric: Metric
    package let contender: String
    package let first: MetricCell
    package let second: MetricCell
    package let agrees: Bool
  }

  package let lines: [Line]

  package init(_ first: ComparisonAnalysis, _ second: ComparisonAnalysis) {
    lines = first.workloads.flatMap { one -> [Line] in
      guard let other = second.workloads.first(where: { $0.situation == one.situation }) else { return [] }
      return one.workload.deciding.flatMap { metric in
        one.rows.compactMap { row -> Line? in
          guard let own = row.cells[metric], own.effect != nil,
            let match = other.rows.first(where: { $0.contender == row.contender })?.cells[metric]
          else { return nil }
          return Line(
            situation: one.situation, metric: metric, contender: row.contender.name, first: own, second: match,
            agrees: Self.overlap(own.effect, match.effect))
        }
      }
    }
  }

  private static func overlap(_ one: PairedEffect?, _ other: PairedEffect?) -> Bool {
    guard let one, let other, one.kind == other.kind else { return false }
    guard let first = one.interval, let second = other.interval else { return false }
    return first.overlaps(second)
  }
}

/// A report that shows two comparisons side by side.
package enum AgreementReport {
  package static func blocks(_ agreement: RunAgreement) -> [ReportBlock] {
    let agreeing = agreement.lines.count(where: \.agrees)
    var table = ReportTable(
      ["workload", "metric", "strategy", "first run", "second run", "overlap"], wordColumns: Set(0...5))
    for line in agreement.lines {
      table.add([
        ReportTable.Cell(line.situation.name), ReportTable.Cell(line.metric.rawValue),
        ReportTable.Cell(line.contender), effect(line.first), effect(line.second),
        ReportTable.Cell(line.agrees ? "yes" : "NO"),
      ])
    }
    let sentence =
      agreement.lines.isEmpty
      ? "The two runs have nothing in common."
      : "\(agreeing) of \(agreement.lines.count) intervals overlap."
        + (agreeing == agreement.lines.count ? " The two runs agree." : " The two runs disagree in the rows marked NO.")
    return [.heading("Do the two runs agree?"), .paragraph(sentence)] + (agreement.lines.isEmpty ? [] : [.table(table)])
  }

  private static func effect(_ cell: MetricCell) -> ReportTable.Cell {
    cell.effectText.map { ReportTable.Cell($0) } ?? .missing
  }
}
