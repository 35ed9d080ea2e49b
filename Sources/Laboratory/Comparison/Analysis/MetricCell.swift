/// One metric of one contender in one workload, aggregated over all blocks.
package struct MetricCell: Sendable {
  package let metric: Metric
  /// The values, one for each block in which the contender was measured.
  package let values: [Double]
  package let median: Double
  /// The confidence interval of the median, or nil if there are fewer than six blocks.
  package let interval: MedianInterval?
  /// The effect relative to the reference, or nil for the reference itself.
  package let effect: PairedEffect?
  /// The p-value after Holm's correction for all contenders, or nil for the control.
  package let adjusted: Double?
  package let judgement: Judgement

  /// The unit used for all contenders in the workload.
  let scale: ValueScale

  /// The column title. It includes the unit unless the metric's title already states it.
  var title: String {
    switch metric.unit {
    case .bytes, .seconds, .share: "\(metric.title) \(scale.symbol)"
    case .rate, .cpu, .cores, .count: metric.title
    }
  }

  /// The median without its unit, for use in a column or a plot that states the unit.
  var number: String { scale.number(median) }

  package var text: String { scale.text(median) }

  /// The effect as text: a ratio such as `0.97x [0.95, 0.99]`, a difference if ratios make no sense, or `equal`.
  package var effectText: String? {
    guard let effect else { return nil }
    if effect.median == effect.neutral, effect.interval.map({ $0.low == $0.high }) ?? true { return "equal" }
    let write = { (value: Double, isBound: Bool) -> String in
      guard effect.kind == .ratio else { return (value > 0 ? "+" : "") + scale.number(value) }
      // 1.00 would hide on which side of 1 the value is.
      let isNearOne = isBound && value != 1 && abs(value - 1) < 0.005
      return value.decimals(value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 && !isNearOne ? 2 : 3)
    }
    let unit = scale.symbol.isEmpty ? "" : " \(scale.symbol)"
    let head = write(effect.median, false) + (effect.kind == .ratio ? "x" : unit)
    guard let interval = effect.interval else { return head }
    return "\(head) [\(write(interval.low, true)), \(write(interval.high, true))]"
  }

  /// Whether the blocks prove neither a difference from the reference nor that the values are level.
  var isOpen: Bool {
    judgement == .unknown || judgement != .reference && !judgement.counts && Width(self)?.isBlind == true
  }

  /// The smallest factor in the interval for the difference from the reference, or one if no difference is visible.
  var leastReach: Double { effect?.leastReach ?? 1 }

  /// The smallest difference as text, such as `4.80x`, or `2.8 ms` for a metric that compares differences.
  var smallestDifference: String {
    guard let effect, let reach = effect.leastReach else { return "" }
    return effect.distance.map { scale.text($0.lowerBound) } ?? reach.asRatio
  }
}

extension [MetricCell] {
  /// Whether all cells show the same number and none of them differs from the reference.
  var areEqual: Bool { Set(map(\.number)).count == 1 && allSatisfy { $0.effectText ?? "equal" == "equal" } }
}

/// The verdict on a contender in one metric, compared with the reference.
package enum Judgement: Sendable, Equatable {
  /// The contender is the reference.
  case reference
  /// There are too few blocks for a verdict.
  case unknown
  /// No difference is visible, or it is too small to matter.
  case same
  /// The contender is better. The report relies only on differences that are certain: their interval lies
  /// entirely beyond the least gain that counts, and beyond the control's difference from the reference. Their p-value is
  /// significant after correction for multiple comparisons.
  case better(isSure: Bool)
  case worse(isSure: Bool)
  /// The contender differs from the reference, but neither is better.
  case other

  /// - Parameter control: the difference between the reference's two measurements.
  init(_ effect: PairedEffect, adjusted: Double, control: PairedEffect?, _ metric: Metric) {
    let isFar =
      if let distance = effect.distance, metric.comparesByDifference {
        distance.lowerBound >= max(control?.distance?.upperBound ?? 0, metric.negligible)
      } else {
        effect.leastReach ?? 1 >= control?.reach ?? 1
      }
    let isSure =
      adjusted <= PairedEffect.significance && effect.leastReach ?? 1 >= metric.leastGain && isFar
    switch (effect.direction, metric.preference) {
    case _ where effect.interval == nil: self = .unknown
    case (.none, _): self = .same
    case (_, .neither): self = .other
    case (.higher, .higher), (.lower, .lower): self = .better(isSure: isSure)
    case (.higher, .lower), (.lower, .higher): self = .worse(isSure: isSure)
    }
  }

  package var isBetter: Bool { if case .better = self { true } else { false } }
  package var isWorse: Bool { if case .worse = self { true } else { false } }
  /// Whether the difference is large enough to determine the choice.
  package var counts: Bool { self == .better(isSure: true) || self == .worse(isSure: true) }

  /// The text to show in tables.
  package var mark: String {
    switch self {
    case .reference: ""
    case .unknown: "?"
    case .same: "~"
    case .better(let isSure): isSure ? "better" : "better?"
    case .worse(let isSure): isSure ? "worse" : "worse?"
    case .other: "differs"
    }
  }
}

/// The maximum distance between strategies and the reference that is compatible with their intervals.
package struct Width: Sendable, Comparable {
  /// The one ratio that decides. Strategies are equally good if they differ by at most this ratio, and a strategy is
  /// ahead if it leads by more. If an interval allows both, the measurement is too imprecise to decide.
  static let limit = Metric.usualLeastGain

  /// The maximum ratio of the larger value to the smaller value.
  package let ratio: Double
  private let difference: Double?
  /// The distance as text, such as `1.15x`, or `1.4 ms` for a metric that compares differences.
  let text: String
  /// Whether the distance is too large to be called a tie.
  let isBlind: Bool

  /// Creates the distance between a cell and the reference. Returns nil if the interval allows no difference.
  init?(_ cell: MetricCell) {
    guard let effect = cell.effect, let reach = effect.reach, reach > 1 else { return nil }
    ratio = reach
    difference = effect.distance?.upperBound
    text = difference.map { cell.scale.text($0) } ?? reach.asRatio
    isBlind = reach > Self.limit && difference ?? .infinity > cell.metric.negligible
  }

  /// Creates the largest of the cells' distances. Returns nil if all cells are equal.
  init?(_ cells: [MetricCell]) {
    guard let widest = cells.compactMap(Width.init).max(), !cells.areEqual else { return nil }
    self = widest
  }

  /// The distance as a short text, rounded up: `1.5x` for a ratio of 1.43.
  var rounded: String {
    difference == nil && ratio < 10 ? "\(((ratio * 10).rounded(.up) / 10).decimals(1))x" : text
  }

  /// The distance in words, such as `level within 1.06x`, or `may differ by 4.02x` if it is too large for a tie.
  var phrase: String { isBlind ? "may differ by \(text)" : "level within \(text)" }

  func phrase(beside name: String) -> String { "\(phrase) \(isBlind ? "from" : "of") \(name)" }

  package static func < (one: Width, other: Width) -> Bool {
    guard one.isBlind == other.isBlind else { return other.isBlind }
    if let one = one.difference, let other = other.difference { return one < other }
    return one.ratio < other.ratio
  }
}
