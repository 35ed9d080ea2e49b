/// How long main took to answer, over time: a row for each contender, from the first block.
enum StallChart {
  private static let rowHeight = 40.0
  private static let left = 96.0

  static func svg(_ analysis: WorkloadAnalysis) -> String? {
    let rows = analysis.rows.filter { $0.contender.role != .control }.compactMap { row -> (Contender, Sample.Stalls)? in
      let sample = analysis.samples.first { $0.contender == row.contender.name && $0.stalls != nil }
      return sample?.stalls.map { (row.contender, $0) }
    }
    guard !rows.isEmpty else { return nil }
    let most = rows.flatMap(\.1.stall).max() ?? 0
    let scale = ValueScale(.seconds, rows.compactMap { $0.1.stall.max() })
    let time = PlotScale(.seconds, most: rows.flatMap(\.1.seconds).max() ?? 1)
    let bottom = 20 + rowHeight * Double(rows.count)
    var svg = SVG(height: bottom + 32, title: "stalls of the main queue over time, \(analysis.workload.rawValue)")
    let axis = Axis(
      left: left, right: SVG.width - 24, most: time.shown(rows.flatMap(\.1.seconds).max() ?? 1), text: time.text)
    axis.draw(&svg, top: 18, bottom: bottom, title: "time, \(time.title)")
    svg.text(left, 12, "full height: \(scale.text(most))", "unit")
    for (index, (contender, stalls)) in rows.enumerated() {
      let base = 20 + rowHeight * Double(index + 1) - 2
      svg.text(left - 6, base - 12, contender.name, "end")
      svg.line(left, base, SVG.width - 24, base, "grid")
      for (second, stall) in zip(stalls.seconds, stalls.stall) where stall > 0 && most > 0 {
        let x = axis.x(time.shown(second))
        svg.line(x, base - (rowHeight - 6) * stall / most, x, base, "stick s\(analysis.colour(contender))")
      }
      svg.text(
        SVG.width - 24, base - rowHeight + 16, "\(scale.text(stalls.stall.max() ?? 0)) at most", "tick end")
    }
    return svg.element
  }
}
