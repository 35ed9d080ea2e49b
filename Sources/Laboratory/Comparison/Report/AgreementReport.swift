/// Two runs side by side.
package enum AgreementReport {
  package static func blocks(_ agreement: RunAgreement) -> [ReportBlock] {
    let agreeing = agreement.lines.count(where: \.agrees)
    var table = ReportTable(
      ["workload", "metric", "strategy", "first run", "second run", "overlap"], wordColumns: Set(0...5))
    for line in agreement.lines {
      table.add([
        line.workload.rawValue, line.metric.rawValue, line.contender, line.first.effectText ?? "n/a",
        line.second.effectText ?? "n/a", line.agrees ? "yes" : "NO",
      ])
    }
    let sentence =
      agreement.lines.isEmpty
      ? "The two runs have nothing in common."
      : "\(agreeing) of \(agreement.lines.count) intervals overlap."
        + (agreeing == agreement.lines.count ? " The two runs agree." : " The two runs disagree where it says NO.")
    return [.heading("Do the two runs agree?"), .paragraph(sentence)] + (agreement.lines.isEmpty ? [] : [.table(table)])
  }
}
