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
    let scale = PlotScale(metric.unit, most: most)
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
      svg.text(end + 4, middle + 4, scale.text(scale.shown(cell.median), 1), "value")
    }
    return svg.element
  }
}

/// The unit that the numbers of a plot are shown in.
struct PlotScale {
  private let factor: Double
  let title: String
  private let decimals: Int

  init(_ unit: Unit, most: Double) {
    switch unit {
    case .seconds where most < 1: (factor, title) = (1000, "ms")
    case .seconds: (factor, title) = (1, "s")
    case .bytes where most >= 1e5: (factor, title) = (1e-6, "MB")
    case .bytes: (factor, title) = (1e-3, "KB")
    case .rate: (factor, title) = (1, "images/s")
    case .cpu: (factor, title) = (1, "CPU seconds for 1,000 images")
    case .cores: (factor, title) = (1, "cores busy")
    case .count: (factor, title) = (1, "count")
    case .share: (factor, title) = (100, "%")
    }
    let shown = most * factor
    decimals = shown >= 20 ? 0 : shown >= 2 ? 1 : 2
  }

  func shown(_ value: Double) -> Double { value * factor }

  func text(_ shown: Double) -> String { text(shown, 0) }

  /// - Parameter more: further decimals, for a value that is no tick.
  func text(_ shown: Double, _ more: Int) -> String {
    let text = shown.decimals(decimals + more)
    guard text.contains(".") else { return text }
    let short = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(short.reversed())
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
