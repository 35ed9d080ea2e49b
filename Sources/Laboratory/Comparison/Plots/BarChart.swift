/// The medians of one metric as bars from zero, with the interval of each.
enum BarChart {
  private static let rowHeight = 22.0
  private static let left = 96.0

  static func svg(_ analysis: WorkloadAnalysis, _ metric: Metric) -> String? {
    let rows = analysis.rows.compactMap { row in row.cells[metric].map { (row.contender, $0) } }
    guard !rows.isEmpty else { return nil }
    let most = rows.map { max($0.1.median, $0.1.interval?.high ?? 0) }.max() ?? 0
    let bottom = 8 + rowHeight * Double(rows.count)
    var svg = SVG(height: bottom + 32, title: "\(metric.name), \(analysis.workload.rawValue)")
    let scale = PlotScale(rows[0].1.scale, most: most)
    let axis = Axis(left: left, right: SVG.width - 46, most: scale.shown(most), text: scale.text)
    axis.draw(&svg, top: 4, bottom: bottom, title: scale.title)
    for (index, (contender, cell)) in rows.enumerated() {
      let middle = 8 + rowHeight * (Double(index) + 0.5)
      let style = "s\(analysis.colour(contender))"
      svg.text(left - 6, middle + 4, contender.name, "end")
      svg.rect(left, middle - 7, axis.x(scale.shown(cell.median)) - left, 14, "bar \(style)")
      var end = axis.x(scale.shown(cell.median))
      if let interval = cell.interval {
        let (low, high) = (axis.x(scale.shown(interval.low)), axis.x(scale.shown(interval.high)))
        svg.line(low, middle, high, middle, "whisker")
        for x in [low, high] { svg.line(x, middle - 4, x, middle + 4, "whisker") }
        end = max(end, high)
      }
      svg.text(end + 4, middle + 4, cell.number, "value")
    }
    return svg.element
  }
}

extension WorkloadAnalysis {
  /// The number of a contender's colour, the same in all workloads.
  func colour(_ contender: Contender) -> Int {
    switch contender.role {
    case .reference: 0
    case .control: 1
    case .bare: 2
    case .strategy: 3 + (strategies.firstIndex(of: contender) ?? 0) % 4
    }
  }
}
