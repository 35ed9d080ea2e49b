/// The ratios to the reference as dots with their intervals, and as a band the ratios that decide nothing.
enum RatioChart {
  private static let rowHeight = 22.0
  private static let left = 96.0
  /// Ratios that are further apart have a logarithmic axis: on a linear one the small ones would be one dot.
  private static let widestLinear = 10.0

  static func svg(_ analysis: WorkloadAnalysis, _ metric: Metric, _ reference: String) -> String? {
    let rows = analysis.rows.compactMap { row -> (contender: Contender, median: Double, interval: MedianInterval)? in
      guard let effect = row.cells[metric]?.effect, effect.kind == .ratio, let interval = effect.interval else {
        return nil
      }
      return (row.contender, effect.median, interval)
    }
    // Equal counts have nothing to draw.
    guard rows.contains(where: { $0.interval.low != 1 || $0.interval.high != 1 }) else { return nil }
    let axis = axis(rows.map(\.interval))
    let bottom = 8 + rowHeight * Double(rows.count)
    var svg = SVG(height: bottom + 32, title: "\(metric.name) beside \(reference), \(analysis.workload.rawValue)")
    let band = analysis.leastThatCounts(metric)
    svg.rect(axis.x(1 / band), 4, axis.x(band) - axis.x(1 / band), bottom - 4, "band")
    axis.draw(&svg, top: 4, bottom: bottom, title: "times \(reference)")
    svg.line(axis.x(1), 4, axis.x(1), bottom, "neutral")
    for (index, row) in rows.enumerated() {
      let middle = 8 + rowHeight * (Double(index) + 0.5)
      let style = "s\(analysis.colour(row.contender))"
      svg.text(left - 6, middle + 4, row.contender.name, "end")
      svg.line(axis.x(row.interval.low), middle, axis.x(row.interval.high), middle, "range \(style)")
      svg.dot(axis.x(row.median), middle, "dot \(style)")
    }
    return svg.element
  }

  private static func axis(_ intervals: [MedianInterval]) -> Axis {
    let least = min(1, intervals.map(\.low).min() ?? 1)
    let most = max(1.2, intervals.map(\.high).max() ?? 1)
    let right = SVG.width - 24
    if most / least > widestLinear {
      return Axis(left: left, right: right, logarithmic: least...most) { tick in
        tick.decimals(tick >= 1 ? 0 : tick >= 0.1 ? 1 : tick >= 0.01 ? 2 : 3) + "x"
      }
    }
    return Axis(left: left, right: right, most: most) { PlotScale(.count, most: most).text($0) + "x" }
  }
}
