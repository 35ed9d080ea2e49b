import Foundation

/// The difference between a contender and the reference, computed from values that were measured in the same blocks.
package struct PairedEffect: Sendable, Equatable {
  /// The meaning of the numbers.
  package enum Kind: String, Sendable, Codable {
    /// The contender's value divided by the reference's value.
    case ratio
    /// The contender's value minus the reference's value. This kind is used if any value is zero, or if the metric
    /// compares differences.
    case difference
  }

  /// The direction of the difference.
  package enum Direction: Sendable, Equatable {
    /// The interval includes the neutral value, or the difference is too small to matter.
    case none
    case higher
    case lower
  }

  /// The smallest relative difference that matters. Smaller differences do not matter, even if they are real.
  package static let leastRelevantShare = 0.02
  /// The largest Holm-corrected p-value at which a difference is certain. With a larger p-value, a difference is at
  /// best likely.
  package static let significance = 0.05

  package let kind: Kind
  /// The median effect over the blocks.
  package let median: Double
  /// The confidence interval of the median, or nil if there are fewer than six blocks.
  package let interval: MedianInterval?
  /// The uncorrected p-value of the sign-flip test, or of the bets on the median in a sequential comparison.
  package let p: Double
  /// Whether the comparison may stop at any time.
  package let isSequential: Bool
  /// The larger of the two medians, ignoring their signs.
  private let scale: Double
  private let isRelevant: Bool

  /// - Parameters:
  ///   - contender: the contender's values, one per block.
  ///   - reference: the reference's values in the same blocks.
  ///   - isDifference: whether to compare differences even if ratios are possible.
  package init?(
    _ contender: [Double], to reference: [Double], isDifference: Bool = false, _ inference: Inference = .fixed
  ) {
    precondition(contender.count == reference.count, "The contender and the reference need the same number of values.")
    guard let own = contender.median, let other = reference.median else { return nil }
    let pairs = Array(zip(contender, reference))
    let isRatio = !isDifference && pairs.allSatisfy { $0 > 0 && $1 > 0 }
    let effects = pairs.map { isRatio ? $0 / $1 : $0 - $1 }
    kind = isRatio ? .ratio : .difference
    median = effects.median ?? 0
    interval = MedianInterval(effects, inference)
    isSequential = inference != .fixed
    p =
      isSequential
      ? MedianBet.p(effects, neutral: isRatio ? 1 : 0)
      // Logarithms place "twice" and "half" at the same distance from one.
      : SignFlipTest.p(isRatio ? effects.map { log($0) } : effects)
    scale = max(abs(own), abs(other))
    let share = isRatio ? abs(median - 1) : abs(median) / max(scale, .leastNormalMagnitude)
    isRelevant = share >= Self.leastRelevantShare
  }

  /// The largest factor by which the contender may differ from the reference, according to the interval.
  package var reach: Double? { interval.map { max(factor($0.low), factor($0.high)) } }

  /// The smallest factor by which the contender differs from the reference, according to the interval. The factor is
  /// one if the interval includes the neutral value.
  package var leastReach: Double? {
    interval.map { $0.low <= neutral && neutral <= $0.high ? 1 : min(factor($0.low), factor($0.high)) }
  }

  /// Returns which ends of the interval exceed the bound, ignoring negligible differences. Returns nil if there is no
  /// interval.
  func sides(beyond bound: Double, negligible: Double) -> (higher: Bool, lower: Bool)? {
    interval.map { interval in
      let isFar = { (effect: Double) in factor(effect) > bound && (kind == .ratio || abs(effect) > negligible) }
      return (interval.high > neutral && isFar(interval.high), interval.low < neutral && isFar(interval.low))
    }
  }

  /// The minimum and maximum absolute difference, in the unit of the values. Nil for a ratio.
  package var distance: ClosedRange<Double>? {
    guard kind == .difference, let interval else { return nil }
    let (one, other) = (abs(interval.low), abs(interval.high))
    return (interval.low <= 0 && 0 <= interval.high ? 0 : min(one, other))...max(one, other)
  }

  /// Returns the ratio of the larger value to the smaller value. A difference is converted to a ratio using the larger
  /// of the two medians.
  private func factor(_ effect: Double) -> Double {
    guard kind == .difference else { return max(effect, 1 / effect) }
    return scale == 0 ? 1 : scale / max(scale - abs(effect), .leastNormalMagnitude)
  }

  /// The value that represents no difference.
  package var neutral: Double { kind == .ratio ? 1 : 0 }

  /// The direction of the difference, or `none` if the interval does not show one.
  package var direction: Direction {
    guard let interval, isRelevant else { return .none }
    if interval.low > neutral { return .higher }
    if interval.high < neutral { return .lower }
    return .none
  }
}

extension Collection<Double> {
  /// The middle value, or the mean of the two middle values. Nil for an empty collection.
  package var median: Double? {
    guard !isEmpty else { return nil }
    let values = sorted()
    return (values[(values.count - 1) / 2] + values[values.count / 2]) / 2
  }
}

/// A confidence interval for the median, bounded by two order statistics of the sample.
///
/// The coverage is exact for any continuous distribution, because the number of values below the true median follows a
/// binomial distribution. A bootstrap would need more than ten values.
package struct MedianInterval: Sendable, Equatable {
  package let low: Double
  package let high: Double
  /// The probability, from 0 to 1, that the interval covers the median. In a sequential comparison, this is the
  /// probability that all intervals cover the median.
  package let coverage: Double

  func overlaps(_ other: MedianInterval) -> Bool { low <= other.high && other.low <= high }

  /// Creates the narrowest symmetric interval with a coverage of at least 95 %, or of one minus the error. Returns nil
  /// if there are too few values.
  ///
  /// For ten values, the interval extends from the 2nd to the 9th value, and its coverage is 97.9 %.
  package init?(_ values: [Double], _ inference: Inference = .fixed) {
    let count = values.count
    let found: (Int, Double)? =
      switch inference {
      case .fixed: Self.rank(of: count, 0.95)
      case .anytime(let error): MedianBet.rank(of: count, error: error).map { ($0, 1 - error) }
      }
    guard count > 0, let (rank, coverage) = found else { return nil }
    let ordered = values.sorted()
    low = ordered[rank - 1]
    high = ordered[count - rank]
    self.coverage = coverage
  }

  /// Returns the lower end's rank, counted from one, and the interval's coverage.
  private static func rank(of count: Int, _ confidence: Double) -> (Int, Double)? {
    var found: (Int, Double)?
    // The probability that fewer than `rank` values lie below the median.
    var tail = 0.0
    var term = exponential(-count)
    for rank in 1...max(1, (count + 1) / 2) {
      tail += term
      let coverage = 1 - 2 * tail
      guard coverage >= confidence else { return found }
      found = (rank, coverage)
      term *= Double(count - rank + 1) / Double(rank)
    }
    return found
  }

  /// Returns 2 raised to this power.
  private static func exponential(_ power: Int) -> Double {
    Double(sign: .plus, exponent: power, significand: 1)
  }
}

/// A percentile that requires enough samples.
package enum Percentile {
  /// Returns the minimum number of samples for a percentile, so that at least ten samples lie beyond the percentile.
  package static func samplesNeeded(for share: Double) -> Int {
    // In floating-point arithmetic, 1 - 0.99 is slightly more than 0.01.
    Int((10 / (1 - share)).rounded(.toNearestOrAwayFromZero))
  }

  /// Returns the smallest sample such that at least `share` of all samples are less than or equal to it. Returns nil if
  /// there are too few samples.
  ///
  /// - Parameter share: a number above 0 and below 1, such as 0.95.
  package static func of(_ samples: [Double], _ share: Double) -> Double? {
    guard samples.count >= samplesNeeded(for: share) else { return nil }
    let rank = Int((share * Double(samples.count) - 1e-9).rounded(.up))
    return samples.sorted()[Swift.max(0, rank - 1)]
  }
}
