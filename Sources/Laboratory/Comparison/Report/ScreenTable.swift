import PlainText

/// The table of the screen over one transport: a row for each situation, and a column for each strategy.
struct ScreenTable {
  /// The figures that are shown.
  let measures: [Measure]
  let table: ReportTable

  /// - Parameters:
  ///   - strategies: the columns, from left to right. The last ones are omitted if they do not fit.
  ///   - unfit: the strategies that are never recommended. They do not determine which metric is shown.
  ///   - isWhole: whether to show every metric that decides, or only the first that tells the strategies apart.
  init(_ transport: Transport, _ rows: [Screen.Row], strategies: [String], unfit: Set<String>, isWhole: Bool) {
    let cells = rows.compactMap { row in row.cells.first { $0.transport == transport }.map { (row, $0) } }
    let shown = cells.map { _, cell in
      isWhole ? cell.measures : [cell.measures.telling(unfit)].compactMap(\.self)
    }
    let measures = shown.flatMap(\.self)
    self.measures = measures
    let title = "over \(transport.title)"
    let width = { (texts: [String]) in 2 + (texts.map(\.count).max() ?? 0) }
    let fitting = { (labels: [String]) in
      var room = Screen.width + 2 - width(labels + [title]) - width(measures.map(\.title))
      return strategies.prefix { name in
        room -= width(measures.map { $0[name] } + [name])
        return room >= 0
      }
    }
    var labels = cells.map { $0.0.label.cut(to: Self.widestLabel) }
    // A strategy is worth more than the description of a situation.
    if fitting(labels).count < strategies.count { labels = cells.map(\.0.workload.rawValue) }
    let names = fitting(labels)

    let header = [title, "median"] + names
    var table = ReportTable(header, wordColumns: Set(header.indices))
    for (label, measures) in zip(labels, shown) {
      for (index, measure) in measures.enumerated() {
        let cells = names.map { ReportTable.Cell(measure[$0], measure.standing(of: $0)) }
        table.add([ReportTable.Cell(index == 0 ? label : ""), ReportTable.Cell(measure.title)] + cells)
      }
      if measures.isEmpty {
        table.add([ReportTable.Cell(label), ReportTable.Cell("no valid run")] + names.map { _ in .missing })
      }
    }
    self.table = table
  }

  private static let widestLabel = 34
}

extension [Measure] {
  /// Returns the first metric in which the strategies are not level, because a less important metric must not decide
  /// before it. If they are level in all, returns the first metric.
  ///
  /// - Parameter unfit: the strategies that are never recommended. They do not matter here.
  func telling(_ unfit: Set<String>) -> Measure? {
    let level: Set<Standing> = [.reference, .tie]
    return first { measure in
      measure.values.contains { !unfit.contains($0.strategy) && !level.contains($0.standing) }
    } ?? first
  }
}
