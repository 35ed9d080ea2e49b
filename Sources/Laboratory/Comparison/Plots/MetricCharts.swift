/// A chart of the medians of one metric. Each median is a bar that starts at zero, with its interval.
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
      let style = "s\(analysis.color(contender))"
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
  /// Returns the index of the contender's color, which is the same in all workloads.
  func color(_ contender: Contender) -> Int {
    switch contender.role {
    case .reference: 0
    case .control: 1
    case .bare: 2
    case .floor: 3
    case .strategy: 4 + (strategies.firstIndex(of: contender) ?? 0) % 3
    }
  }
}

/// A chart of the ratios to the reference. Each ratio is a dot with its interval, and a band marks the ratios that are
/// too close to 1 to count.
enum RatioChart {
  private static let rowHeight = 22.0
  private static let left = 96.0
  /// The widest range of ratios that gets a linear axis. On a linear axis with a wider range, the small ratios would
  /// collapse into one dot.
  private static let widestLinear = 10.0

  static func svg(_ analysis: WorkloadAnalysis, _ metric: Metric, _ reference: String) -> String? {
    let rows = analysis.rows.compactMap { row -> (contender: Contender, median: Double, interval: MedianInterval)? in
      guard let effect = row.cells[metric]?.effect, effect.kind == .ratio, let interval = effect.interval else {
        return nil
      }
      return (row.contender, effect.median, interval)
    }
    // If every ratio is 1, there is nothing to draw.
    guard rows.contains(where: { $0.interval.low != 1 || $0.interval.high != 1 }) else { return nil }
    let axis = axis(rows.map(\.interval))
    let bottom = 8 + rowHeight * Double(rows.count)
    var svg = SVG(height: bottom + 32, title: "\(metric.name) relative to \(reference), \(analysis.workload.rawValue)")
    let band = analysis.leastThatCounts(metric)
    svg.rect(axis.x(1 / band), 4, axis.x(band) - axis.x(1 / band), bottom - 4, "band")
    axis.draw(&svg, top: 4, bottom: bottom, title: "times \(reference)")
    svg.line(axis.x(1), 4, axis.x(1), bottom, "neutral")
    for (index, row) in rows.enumerated() {
      let middle = 8 + rowHeight * (Double(index) + 0.5)
      let style = "s\(analysis.color(row.contender))"
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

/// A chart of the distribution of each contender's latencies. It has one histogram per contender on a shared axis, and
/// marks the medians.
enum DistributionChart {
  private static let rowHeight = 34.0
  private static let left = 96.0
  private static let bins = 60

  static func svg(_ analysis: WorkloadAnalysis) -> String? {
    let rows = analysis.rows.filter { $0.latencies.count >= 20 }
    guard !rows.isEmpty else { return nil }
    // The axis ends at the 99th percentile, because a few stragglers would otherwise compress the rest. A label states
    // the number of values beyond the end.
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
      for value in shown where value < axis.end { counts[min(Int(value / bin), bins - 1)] += 1 }
      let peak = Double(counts.max() ?? 1)
      var points = [(axis.x(0), base)]
      for (number, count) in counts.enumerated() {
        let y = base - (rowHeight - 8) * Double(count) / max(1, peak)
        points += [(axis.x(Double(number) * bin), y), (axis.x(Double(number + 1) * bin), y)]
      }
      points.append((axis.x(axis.end), base))
      svg.path(points, "area s\(analysis.color(row.contender))", isClosed: true)
      let beyond = shown.count { $0 >= axis.end }
      svg.text(left - 6, base - (beyond > 0 ? 13 : 6), row.contender.name, "end")
      if beyond > 0 { svg.text(left - 6, base - 1, "\(beyond) beyond", "tick end") }
      if let median = shown.median { svg.line(axis.x(median), base - rowHeight + 6, axis.x(median), base, "neutral") }
    }
    return svg.element
  }
}
