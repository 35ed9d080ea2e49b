/// How the latencies of each contender are spread: a histogram for each on one axis, with a mark at the median.
enum DistributionChart {
  private static let rowHeight = 34.0
  private static let left = 96.0
  private static let bins = 60

  static func svg(_ analysis: WorkloadAnalysis) -> String? {
    let rows = analysis.rows.filter { $0.latencies.count >= 20 }
    guard !rows.isEmpty else { return nil }
    // A handful of stragglers would squeeze all others together; their number is written down.
    let most = rows.map { row in row.latencies.sorted()[row.latencies.count * 99 / 100] }.max() ?? 1
    let scale = PlotScale(.seconds, most: most)
    let bottom = 8 + rowHeight * Double(rows.count)
    var svg = SVG(height: bottom + 32, title: "latencies, \(analysis.workload.rawValue)")
    let axis = Axis(left: left, right: SVG.width - 24, most: scale.shown(most), text: scale.text)
    axis.draw(&svg, top: 4, bottom: bottom, title: "latency, \(scale.title)")
    let bin = axis.end / Double(bins)
    for (index, row) in rows.enumerated() {
      let base = 8 + rowHeight * Double(index + 1) - 3
      let shown = row.latencies.map(scale.shown)
      var counts = Array(repeating: 0, count: bins)
      for value in shown where value < axis.end { counts[Int(value / bin)] += 1 }
      let peak = Double(counts.max() ?? 1)
      var points = [(axis.x(0), base)]
      for (number, count) in counts.enumerated() {
        let y = base - (rowHeight - 8) * Double(count) / max(1, peak)
        points += [(axis.x(Double(number) * bin), y), (axis.x(Double(number + 1) * bin), y)]
      }
      points.append((axis.x(axis.end), base))
      svg.path(points, "area s\(analysis.colour(row.contender))", isClosed: true)
      let beyond = shown.count { $0 >= axis.end }
      svg.text(left - 6, base - (beyond > 0 ? 13 : 6), row.contender.name, "end")
      if beyond > 0 { svg.text(left - 6, base - 1, "\(beyond) beyond", "tick end") }
      if let median = shown.median { svg.line(axis.x(median), base - rowHeight + 6, axis.x(median), base, "neutral") }
    }
    return svg.element
  }
}
