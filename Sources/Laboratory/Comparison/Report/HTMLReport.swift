import PlainText

/// Renders a report as one self-contained page, without scripts, fonts or other files.
package enum HTMLReport {
  package static func page(_ analysis: ComparisonAnalysis, _ document: ReportDocument) -> String {
    var parts: [String] = []
    var inAnswers = false
    var pending: WorkloadAnalysis?
    for block in document.blocks {
      if case .answer = block {
        if !inAnswers { parts.append("<dl class=\"answers\">") }
        inAnswers = true
      } else if inAnswers {
        parts.append("</dl>")
        inAnswers = false
      }
      if case .heading(_, let situation) = block {
        if let pending { parts.append(plots(pending, analysis.reference)) }
        pending = analysis.workloads.first { $0.situation == situation }
      }
      parts.append(element(block))
    }
    if inAnswers { parts.append("</dl>") }
    if let pending { parts.append(plots(pending, analysis.reference)) }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>Comparison of fetch strategies</title>
      <style>
      \(HTMLStyle.text)
      </style>
      </head>
      <body>
      <h1>Comparison of fetch strategies</h1>
      \(parts.joined(separator: "\n"))
      </body>
      </html>

      """
  }

  private static func element(_ block: ReportBlock) -> String {
    switch block {
    case .heading(let text, _): return "<h2>\(text.escapedForHTML)</h2>"
    case .paragraph(let text): return "<p>\(prose(text))</p>"
    case .warning(let text): return "<p class=\"warning\"><strong>Warning:</strong> \(text.escapedForHTML)</p>"
    case .answer(let subject, let text, let reasons):
      let list = reasons.map { "<li>\(prose($0))</li>" }.joined()
      // Without reasons below it, the text needs no emphasis.
      let body = list.isEmpty ? prose(text) : "<strong>\(prose(text))</strong><ul>\(list)</ul>"
      return "<dt>\(subject.escapedForHTML)</dt><dd>\(body)</dd>"
    case .table(let table): return self.table(table)
    case .note(let text): return "<p class=\"note\">\(prose(text))</p>"
    case .command(let text): return "<pre>\(text.escapedForHTML)</pre>"
    case .gap: return ""
    }
  }

  /// Escapes the text. Words between a pair of backticks are code.
  private static func prose(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map { String($0).escapedForHTML }
    guard parts.count % 2 == 1 else { return text.escapedForHTML }
    return parts.enumerated().map { $0 % 2 == 1 ? "<code>\($1)</code>" : $1 }.joined()
  }

  private static func table(_ table: ReportTable) -> String {
    let cell = { (tag: String, index: Int, cell: ReportTable.Cell) in
      let classes = [table.wordColumns.contains(index) ? nil : "number", cell.meaning.map { "\($0)" }]
        .compactMap(\.self).joined(separator: " ")
      // On a narrow screen, a row is shown as a list, and each cell shows its column's title.
      let label = tag == "td" ? " data-label=\"\(table.header[index].escapedForHTML)\"" : ""
      return "<\(tag)\(classes.isEmpty ? "" : " class=\"\(classes)\"")\(label)>\(cell.text.escapedForHTML)</\(tag)>"
    }
    let row = { (tag: String, cells: [ReportTable.Cell]) in
      "<tr>" + cells.enumerated().map { cell($0.offset == 0 ? "th" : tag, $0.offset, $0.element) }.joined() + "</tr>"
    }
    let body = table.rows.map { row("td", $0) }.joined(separator: "\n")
    return
      "<div class=\"scroller\"><table><thead>\(row("th", table.header.map { ReportTable.Cell($0) }))</thead>\n<tbody>\(body)</tbody></table></div>"
  }

  private static func plots(_ analysis: WorkloadAnalysis, _ reference: String) -> String {
    var figures: [(String, String?)] = []
    for metric in analysis.workload.deciding {
      figures.append(("\(metric.name), median and interval\(metric.wish)", BarChart.svg(analysis, metric)))
      figures.append(
        (
          "\(metric.name) relative to \(reference): intervals entirely outside the gray band count",
          RatioChart.svg(analysis, metric, reference)
        ))
    }
    if analysis.workload.showsLatency {
      figures.append(("latencies of all images; the line is the median", DistributionChart.svg(analysis)))
    }
    switch analysis.workload {
    case .list: figures.append(("threads over time (first block)", SeriesChart.svg(analysis, .threads)))
    case .gallery: figures.append(("memory over time (first block)", SeriesChart.svg(analysis, .memory)))
    case .wait: figures.append(("CPU time over time (first block)", SeriesChart.svg(analysis, .cpu)))
    case .stall: figures.append(("stalls of the main queue (first block)", StallChart.svg(analysis)))
    case .scroll, .feed, .flaky, .url: break
    }
    let elements = figures.compactMap { caption, svg in
      svg.map { "<figure><figcaption>\(caption.escapedForHTML)</figcaption>\($0)</figure>" }
    }
    return "<div class=\"plots\">\n\(elements.joined(separator: "\n"))\n</div>"
  }
}
