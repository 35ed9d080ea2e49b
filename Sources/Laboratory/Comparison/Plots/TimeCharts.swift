/// A chart of one quantity of the process over time, in the first block. It has one line per contender.
enum SeriesChart {
  enum Quantity: String { case threads, memory, cpu }

  private static let height = 170.0
  private static let left = 44.0

  static func svg(_ analysis: WorkloadAnalysis, _ quantity: Quantity) -> String? {
    let lines = analysis.rows.filter { $0.contender.role != .control }.compactMap {
      row -> (Contender, [(Double, Double)])? in
      guard
        let series = analysis.samples.first(where: { $0.contender == row.contender.name && $0.series != nil })?.series
      else { return nil }
      let values =
        switch quantity {
        case .threads: series.threads.map(Double.init)
        case .memory: series.memory.map(Double.init)
        case .cpu: series.cpu
        }
      let points = Array(zip(series.seconds, values))
      return points.count > 1 ? (row.contender, points) : nil
    }
    guard !lines.isEmpty else { return nil }
    let all = lines.flatMap(\.1)
    let vertical = PlotScale(
      quantity == .memory ? .bytes : quantity == .cpu ? .seconds : .count, most: all.map(\.1).max() ?? 1)
    let horizontal = PlotScale(.seconds, most: all.map(\.0).max() ?? 1)
    let legend = Double((lines.count + 2) / 3) * 16
    var svg = SVG(height: height + 34 + legend, title: "\(quantity.rawValue) over time, \(analysis.workload.rawValue)")
    let top = Axis(left: 0, right: 1, most: vertical.shown(all.map(\.1).max() ?? 1), text: vertical.text)
    let y = { (value: Double) in height - (height - 22) * top.x(value) }
    for tick in top.ticks {
      svg.line(left, y(tick), SVG.width - 20, y(tick), "grid")
      svg.text(left - 5, y(tick) + 4, vertical.text(tick), "tick end")
    }
    let unit =
      quantity == .threads ? "threads" : quantity == .memory ? "resident, \(vertical.title)" : "CPU, \(vertical.title)"
    svg.text(left, 12, unit, "unit")
    let axis = Axis(
      left: left, right: SVG.width - 20, most: horizontal.shown(all.map(\.0).max() ?? 1), text: horizontal.text)
    axis.draw(&svg, top: 22, bottom: height, title: "time, \(horizontal.title)")
    for (index, (contender, points)) in lines.enumerated() {
      let style = "s\(analysis.color(contender))"
      svg.path(points.map { (axis.x(horizontal.shown($0.0)), y(vertical.shown($0.1))) }, "curve \(style)")
      let (x, line) = (left + Double(index % 3) * 104, height + 44 + Double(index / 3) * 16)
      svg.line(x, line - 4, x + 18, line - 4, "curve \(style)")
      svg.text(x + 22, line, contender.name)
    }
    return svg.element
  }
}

/// A chart of the main queue's response time over time, in the first block. It has one row per contender.
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
        svg.line(x, base - (rowHeight - 6) * stall / most, x, base, "stick s\(analysis.color(contender))")
      }
      svg.text(
        SVG.width - 24, base - rowHeight + 16, "\(scale.text(stalls.stall.max() ?? 0)) at most", "tick end")
    }
    return svg.element
  }
}
