import Foundation

/// A horizontal axis that begins at zero.
struct Axis {
  let left: Double
  let right: Double
  /// The value at its right end.
  let end: Double
  let ticks: [Double]
  private let text: (Double) -> String

  /// - Parameters:
  ///   - most: the largest value that has to fit.
  ///   - text: how a tick is written.
  init(left: Double, right: Double, most: Double, text: @escaping (Double) -> String) {
    self.left = left
    self.right = right
    self.text = text
    let step = Self.step(most > 0 ? most : 1)
    end = max(step, (max(most, 0) / step).rounded(.up) * step)
    ticks = Array(stride(from: 0, through: end + step / 2, by: step))
  }

  func x(_ value: Double) -> Double { left + (right - left) * min(max(value, 0), end) / end }

  /// Draws ticks, lines up to `top`, and what the numbers are.
  func draw(_ svg: inout SVG, top: Double, bottom: Double, title: String) {
    for tick in ticks {
      svg.line(x(tick), top, x(tick), bottom, "grid")
      svg.text(x(tick), bottom + 13, text(tick), tick == 0 ? "tick" : "tick mid")
    }
    svg.line(x(0), top, x(0), bottom, "axis")
    svg.text(right, bottom + 27, title, "unit end")
  }

  /// 1, 2 or 5 times a power of ten, so that there are three to five steps.
  private static func step(_ most: Double) -> Double {
    let raw = most / 4
    let power = pow(10, log10(raw).rounded(.down))
    let factor = [1.0, 2, 5, 10].first { $0 * power >= raw } ?? 10
    return factor * power
  }
}
