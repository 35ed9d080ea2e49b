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

  /// How many times as much or as little as the reference it is at least; one where no difference can be seen.
  var leastReach: Double { effect?.leastReach ?? 1 }

  /// The same in words: `4.80x`, or `2.8 ms` of what is compared by difference.
  var smallestDifference: String {
    guard let effect, let reach = effect.leastReach else { return "" }
    return effect.distance.map { scale.text($0.lowerBound) } ?? reach.asRatio
  }
}

extension [MetricCell] {
  /// Whether all are written alike, and none differs from the reference.
  var areEqual: Bool { Set(map(\.number)).count == 1 && allSatisfy { $0.effectText ?? "equal" == "equal" } }
}

/// What a metric says of a contender beside the reference.
package enum Judgement: Sendable, Equatable {
  /// It is the reference.
  case reference
  /// Too few blocks to say anything.
  case unknown
  /// No difference can be seen, or none that matters.
  case same
  /// Sure is a difference that counts, everywhere in a report: its interval lies wholly beyond a small gain, and beyond how far the
  /// reference differs from itself, and chance does not explain it, with so many comparisons.
  case better(isSure: Bool)
  case worse(isSure: Bool)
  /// It differs, and neither is better.
  case other

  /// - Parameter control: how the reference differs from itself.
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
  /// Whether it decides a choice.
  package var counts: Bool { self == .better(isSure: true) || self == .worse(isSure: true) }

  /// As it is written in tables.
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

/// How far strategies and the reference may be apart, by their intervals.
package struct Width: Sendable, Comparable {
  /// Up to this ratio strategies are as good as each other; beyond it, a tie only says that too little can be seen.
  static let blindness = 1.25

  /// How many times the smaller value the larger one may be.
  package let ratio: Double
  private let difference: Double?
  /// `1.15x`, or `1.4 ms` of what is compared by difference.
  let text: String
  /// Too far to call it a tie.
  let isBlind: Bool

  /// Nil where the interval allows no difference.
  init?(_ cell: MetricCell) {
    guard let effect = cell.effect, let reach = effect.reach, reach > 1 else { return nil }
    ratio = reach
    difference = effect.distance?.upperBound
    text = difference.map { cell.scale.text($0) } ?? reach.asRatio
    isBlind = reach > Self.blindness && difference ?? .infinity > cell.metric.negligible
  }

  /// The widest of them; nil where all are equal.
  init?(_ cells: [MetricCell]) {
    guard let widest = cells.compactMap(Width.init).max(), !cells.areEqual else { return nil }
    self = widest
  }

  /// `level within 1.06x`, or `up to 4.02x apart` where that is too far for a tie.
  var phrase: String { isBlind ? "up to \(text) apart" : "level within \(text)" }

  func phrase(beside name: String) -> String { "\(phrase) \(isBlind ? "from" : "of") \(name)" }

  package static func < (one: Width, other: Width) -> Bool {
    guard one.isBlind == other.isBlind else { return other.isBlind }
    if let one = one.difference, let other = other.difference { return one < other }
    return one.ratio < other.ratio
  }
}
