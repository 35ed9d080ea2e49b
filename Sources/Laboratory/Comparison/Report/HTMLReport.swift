import PlainText

/// Renders a report as one self-contained page, without scripts, fonts or other files. The page opens with the screen.
/// A table of contents, the plots and the other blocks follow.
package enum HTMLReport {
  package static func page(_ analysis: ComparisonAnalysis, _ document: ReportDocument) -> String {
    let opening = document.blocks.prefix { if case .heading = $0 { false } else { true } }
    let rest = Array(document.blocks.dropFirst(opening.count))
    let headings = rest.compactMap { if case .heading(let text) = $0 { text } else { nil } }
    let plots = analysis.workloads.map { workload in
      "<h3>\(workload.situation.name.escapedForHTML)</h3>\n\(self.plots(workload, analysis.reference))"
    }
    let plotted = plots.isEmpty ? [] : ["<h2 id=\"plots\">Plots</h2>"] + plots
    let links = headings.enumerated().map { number, text in
      "<li><a href=\"#part-\(number)\">\(String(text.prefix { $0 != ":" }).escapedForHTML)</a></li>"
    }
    let contents = (plots.isEmpty ? [] : ["<li><a href=\"#plots\">Plots</a></li>"]) + links
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
      \(elements(Array(opening)).joined(separator: "\n"))
      <nav><h2>Contents</h2><ul>\(contents.joined())</ul></nav>
      \((plotted + elements(rest)).joined(separator: "\n"))
      </body>
      </html>

      """
  }

  /// The elements of the blocks. Consecutive answers share a list, and the headings are numbered.
  private static func elements(_ blocks: [ReportBlock]) -> [String] {
    var headings = 0
    return blocks.indices.map { index in
      let isAnswer = blocks[index].isAnswer
      let begins = isAnswer && (index == 0 || !blocks[index - 1].isAnswer)
      let ends = isAnswer && (index + 1 == blocks.count || !blocks[index + 1].isAnswer)
      if case .heading = blocks[index] { headings += 1 }
      return (begins ? "<dl class=\"answers\">" : "") + element(blocks[index], number: headings - 1)
        + (ends ? "</dl>" : "")
    }
  }

  private static func element(_ block: ReportBlock, number: Int) -> String {
    switch block {
    case .heading(let text): return "<h2 id=\"part-\(number)\">\(text.escapedForHTML)</h2>"
    case .paragraph(let text): return "<p>\(prose(text))</p>"
    case .warning(let text): return "<p class=\"warning\"><strong>Warning:</strong> \(prose(text))</p>"
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

  /// Escapes the text. Words between backticks are code. A cut text can lack its last backtick.
  private static func prose(_ text: String) -> String {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
      index % 2 == 1 ? "<code>\(String(part).escapedForHTML)</code>" : String(part).escapedForHTML
    }.joined()
  }

  private static func table(_ table: ReportTable) -> String {
    let cell = { (tag: String, index: Int, cell: ReportTable.Cell) in
      let classes = [table.wordColumns.contains(index) ? nil : "number", cell.meaning.map { "\($0)" }]
        .compactMap(\.self).joined(separator: " ")
      // On a narrow screen, a row is shown as a list, and each cell shows its column's title.
      let label = tag == "td" ? " data-label=\"\(table.header[index].escapedForHTML)\"" : ""
      return "<\(tag)\(classes.isEmpty ? "" : " class=\"\(classes)\"")\(label)>\(prose(cell.text))</\(tag)>"
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
    case .gallery, .largeFeed: figures.append(("memory over time (first block)", SeriesChart.svg(analysis, .memory)))
    case .wait: figures.append(("CPU time over time (first block)", SeriesChart.svg(analysis, .cpu)))
    case .stall: figures.append(("stalls of the main queue (first block)", StallChart.svg(analysis)))
    case .scroll, .feed, .flaky, .url, .scenario: break
    }
    let elements = figures.compactMap { caption, svg in
      svg.map { "<figure><figcaption>\(caption.escapedForHTML)</figcaption>\($0)</figure>" }
    }
    return "<div class=\"plots\">\n\(elements.joined(separator: "\n"))\n</div>"
  }
}

extension ReportBlock {
  fileprivate var isAnswer: Bool { if case .answer = self { true } else { false } }
}
