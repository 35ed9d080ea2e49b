import PlainText

/// A table of the scenarios' results for each strategy.
package enum BehaviorTable {
  /// The scenarios to show.
  package enum Extent: Sendable { case none, failing, all }

  static func sentence(_ analysis: ComparisonAnalysis) -> String? {
    let rows = analysis.behavior
    guard let first = rows.first else { return nil }
    let counts = first.cells.map(\.strategy).map { name in
      let verdicts = rows.compactMap { row in row.cells.first { $0.strategy == name }?.verdict }
      return (name, holds: verdicts.count { $0 == .holds }, breaks: verdicts.count { $0 == .breaks })
    }
    let whole = counts.filter { $0.breaks == 0 }.map(\.0)
    let others = counts.filter { $0.breaks > 0 }.map {
      "\($0.0) fails \($0.breaks) of the \($0.holds + $0.breaks) that apply to it"
    }
    let rest = others.joined(separator: ", ")
    guard !whole.isEmpty else { return "every strategy fails some scenarios: \(rest)" }
    let verb = whole.count == 1 ? "passes" : "pass"
    return "\(whole.listed(with: "and")) \(verb) every scenario that applies to \(whole.count == 1 ? "it" : "them")"
      + (rest.isEmpty ? "" : "; \(rest)")
  }

  static func blocks(_ analysis: ComparisonAnalysis, _ extent: Extent) -> [ReportBlock] {
    let all = extent == .none ? [] : analysis.behavior
    guard let first = all.first else { return [] }
    let failing = all.filter { $0.cells.contains { $0.verdict == .breaks } }
    let unfit = Set(analysis.unfit.map(\.strategy))
    // Most failing scenarios fail only with a strategy that is never recommended, so few readers need the reasons.
    let rows =
      extent == .all
      ? all : failing.filter { $0.cells.contains { $0.verdict == .breaks && !unfit.contains($0.strategy) } }
    var table = ReportTable(["scenario"] + first.cells.map(\.strategy), wordColumns: Set(0...first.cells.count))
    for row in rows {
      let verdicts = first.cells.map { one in row.cells.first { $0.strategy == one.strategy }?.verdict }
      table.add([ReportTable.Cell(row.scenario)] + verdicts.map { $0.map(ReportTable.Cell.init) ?? .missing })
    }
    var blocks: [ReportBlock] = [
      .heading("Behavior: the shipped scenarios with every strategy, on the virtual clock"),
      .paragraph(
        "A scenario that breaks is not a build failure: it shows what a strategy cannot do."
          + (rows.contains { $0.cells.contains { $0.verdict == .other } }
            ? " n/a: the scenario fails, but was written for another strategy only." : "")
          + (extent == .all ? "" : " \(omitted(all, failing, rows, unfit))")),
    ]
    if !rows.isEmpty { blocks.append(.table(table)) }
    if let row = (rows + failing).first(where: { $0.cells.contains { $0.verdict == .breaks } }),
      let cell = row.cells.first(where: { $0.verdict == .breaks })
    {
      let file = "scenarios/\(row.scenario).json".shellQuoted
      blocks.append(
        .note("To watch one of them: `fetcher run \(file) --strategy \(cell.strategy.shellQuoted) --timeline`"))
    }
    blocks += rows.flatMap { row -> [ReportBlock] in
      let reasons = row.cells.filter { $0.verdict == .breaks }.reduce(into: [(names: [String], why: String)]()) {
        found, cell in
        let why = [cell.failure, cell.why].compactMap(\.self).joined(separator: ". ")
        if let index = found.firstIndex(where: { $0.why == why }) {
          found[index].names.append(cell.strategy)
        } else {
          found.append(([cell.strategy], why))
        }
      }
      return reasons.map { .note("\(row.scenario), \($0.names.listed(with: "and")): \($0.why)") }
    }
    return blocks
  }

  /// Describes the scenarios that the table omits.
  private static func omitted(
    _ all: [ComparisonAnalysis.BehaviorRow], _ failing: [ComparisonAnalysis.BehaviorRow],
    _ rows: [ComparisonAnalysis.BehaviorRow], _ unfit: Set<String>
  ) -> String {
    let head = "Of \(all.count) scenarios, \(all.count - failing.count) pass with every strategy"
    let others = failing.count - rows.count
    guard others > 0 else { return "\(head)." }
    return "\(head), and \(others) fail only with \(unfit.sorted().listed(with: "or")). "
      + "`fetcher compare --behavior` explains them all."
  }
}
