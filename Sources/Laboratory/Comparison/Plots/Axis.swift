import Foundation

/// A horizontal axis. It is linear and starts at zero, or it is logarithmic for ratios that are far apart.
struct Axis {
  let left: Double
  let right: Double
  /// The value at the right end.
  let end: Double
  let ticks: [Double]
  /// The value at the left end of a logarithmic axis, or nil for a linear one.
  private let start: Double?
  private let text: (Double) -> String

  /// Creates a linear axis from zero.
  ///
  /// - Parameters:
  ///  - most: the largest value that must fit on the axis.
  ///  - text: a closure that formats the label of a tick.
  init(left: Double, right: Double, most: Double, text: @escaping (Double) -> String) {
    self.left = left
    self.right = right
    self.text = text
    // For smaller numbers, the power of ten would lose its digits.
    let step = Self.step(most > 1e-12 ? most : 1)
    end = max(step, (max(most, 0) / step).rounded(.up) * step)
    ticks = Array(stride(from: 0, through: end + step / 2, by: step))
    start = nil
  }

  /// Creates a logarithmic axis, on which 2 and 0.5 are at the same distance from 1.
  ///
  /// - Parameter range: the range that must fit on the axis. Its bounds are above zero.
  init(left: Double, right: Double, logarithmic range: ClosedRange<Double>, text: @escaping (Double) -> String) {
    self.left = left
    self.right = right
    self.text = text
    let decades = log10(range.upperBound / range.lowerBound)
    let factors = decades > 2 ? [1.0] : [1, 2, 5]
    let powers = Int(log10(range.lowerBound).rounded(.down))...Int(log10(range.upperBound).rounded(.up))
    let steps = powers.flatMap { power in factors.map { $0 * pow(10, Double(power)) } }
    let first = steps.last { $0 <= range.lowerBound } ?? range.lowerBound
    let last = steps.first { $0 >= range.upperBound } ?? range.upperBound
    let inside = steps.filter { (first...last).contains($0) }
    // More than seven labels would overlap.
    let stride = (inside.count + 6) / 7
    ticks = inside.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
    (start, end) = (first, last)
  }

  func x(_ value: Double) -> Double {
    guard let start else { return left + (right - left) * min(max(value, 0), end) / end }
    return left + (right - left) * log(min(max(value, start), end) / start) / log(end / start)
  }

  /// Draws the ticks, grid lines that extend up to `top`, and the title.
  func draw(_ svg: inout SVG, top: Double, bottom: Double, title: String) {
    for tick in ticks {
      svg.line(x(tick), top, x(tick), bottom, "grid")
      svg.text(x(tick), bottom + 13, text(tick), "tick mid")
    }
    svg.line(left, top, left, bottom, "axis")
    svg.text(right, bottom + 27, start == nil ? title : "\(title), log scale", "unit end")
  }

  /// Returns a distance between ticks that divides the axis into three to five steps. It is 1, 2 or 5 times a power of
  /// ten.
  private static func step(_ most: Double) -> Double {
    let raw = most / 4
    let power = pow(10, log10(raw).rounded(.down))
    let factor = [1.0, 2, 5, 10].first { $0 * power >= raw } ?? 10
    return factor * power
  }
}

/// The number format of an axis. It uses one unit, with as many decimals as the ticks need.
struct PlotScale {
  private let scale: ValueScale
  private let decimals: Int

  init(_ scale: ValueScale, most: Double) {
    self.scale = scale
    let shown = scale.shown(most)
    decimals = shown >= 20 ? 0 : shown >= 2 ? 1 : 2
  }

  init(_ unit: Unit, most: Double) { self.init(ValueScale(unit, [most]), most: most) }

  /// The title of the axis.
  var title: String {
    switch scale.unit {
    case .cpu: "CPU seconds for 1,000 images"
    case .cores: "cores busy"
    case .count: "count"
    case .rate, .bytes, .seconds, .share: scale.symbol
    }
  }

  func shown(_ value: Double) -> Double { scale.shown(value) }

  /// Formats a tick without trailing zeros.
  func text(_ shown: Double) -> String {
    let text = shown.decimals(decimals)
    guard text.contains(".") else { return text }
    let short = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(short.reversed())
  }
}
