/// One metric of one contender in one workload, over all blocks.
package struct MetricCell: Sendable {
  package let metric: Metric
  /// One value for each block in which it was measured.
  package let values: [Double]
  package let median: Double
  /// Of the median; nil with fewer than six blocks.
  package let interval: MedianInterval?
  /// Beside the reference; nil for the reference itself.
  package let effect: PairedEffect?
  /// The p-value after Holm's correction for all contenders; nil for the control.
  package let adjusted: Double?
  package let judgement: Judgement

  /// The unit that all contenders of the workload share.
  let scale: ValueScale

  /// What it is called above a column, with the unit of its numbers where not the name itself says what is counted.
  var title: String {
    switch metric.unit {
    case .bytes, .seconds, .share: "\(metric.title) \(scale.symbol)"
    case .rate, .cpu, .cores, .count: metric.title
    }
  }

  /// The median without its unit, for a column or a plot that states it.
  var number: String { scale.number(median) }

  /// The median with its unit.
  package var text: String { scale.text(median) }

  /// `0.97x [0.95, 0.99]`, a difference where ratios make no sense, or `equal`.
  package var effectText: String? {
    guard let effect else { return nil }
    if effect.median == effect.neutral, effect.interval.map({ $0.low == $0.high }) ?? true { return "equal" }
    let write = { (value: Double) -> String in
      guard effect.kind == .ratio else { return (value > 0 ? "+" : "") + scale.number(value) }
      return value.decimals(value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 3)
    }
    let unit = scale.symbol.isEmpty ? "" : " \(scale.symbol)"
    let head = write(effect.median) + (effect.kind == .ratio ? "x" : unit)
    guard let interval = effect.interval else { return head }
    return "\(head) [\(write(interval.low)), \(write(interval.high))]"
  }
}
