/// The ratios to the reference, as dots with their intervals around the line of no difference.
enum RatioChart {
  private static let rowHeight = 22.0
  private static let left = 96.0

  static func svg(_ analysis: WorkloadAnalysis, _ metric: Metric, _ reference: String) -> String? {
    let rows = analysis.rows.compactMap { row -> (Contender, PairedEffect)? in
      guard let effect = row.cells[metric]?.effect, effect.kind == .ratio, effect.interval != nil else { return nil }
      return (row.contender, effect)
    }
    guard !rows.isEmpty else { return nil }
    let most = rows.compactMap { $0.1.interval?.high }.max() ?? 1
    let bottom = 8 + rowHeight * Double(rows.count)
    var svg = SVG(height: bottom + 32, title: "\(metric.name) beside \(reference), \(analysis.workload.rawValue)")
    let axis = Axis(left: left, right: SVG.width - 24, most: max(1.2, most)) { tick in
      PlotScale(.count, most: max(1.2, most)).text(tick) + "x"
    }
    axis.draw(&svg, top: 4, bottom: bottom, title: "times \(reference)")
    svg.line(axis.x(1), 4, axis.x(1), bottom, "neutral")
    for (index, (contender, effect)) in rows.enumerated() {
      let middle = 8 + rowHeight * (Double(index) + 0.5)
      svg.text(left - 6, middle + 4, contender.name, "end")
      if let interval = effect.interval {
        svg.line(axis.x(interval.low), middle, axis.x(interval.high), middle, "range s\(analysis.colour(contender))")
      }
      svg.dot(axis.x(effect.median), middle, "dot s\(analysis.colour(contender))")
    }
    return svg.element
  }
}
