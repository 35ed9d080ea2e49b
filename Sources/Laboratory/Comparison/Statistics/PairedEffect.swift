import Foundation

/// How a contender differs from the reference, from values that were measured side by side in the same blocks.
package struct PairedEffect: Sendable, Equatable {
  /// What the numbers are.
  package enum Kind: String, Sendable, Codable {
    /// The contender's value divided by the reference's.
    case ratio
    /// The contender's value minus the reference's, where some value is zero.
    case difference
  }

  /// What can be said about the difference.
  package enum Direction: Sendable, Equatable {
    /// The interval spans no difference, or the difference is below what matters.
    case none
    case higher
    case lower
  }

  /// Smaller differences do not matter, whether or not they are real.
  package static let leastRelevantShare = 0.02
  /// The largest p-value, after Holm's correction, of a difference that is sure. Above it, it is likely at most.
  package static let significance = 0.05

  package let kind: Kind
  /// The median over the blocks.
  package let median: Double
  /// Nil with fewer than six blocks.
  package let interval: MedianInterval?
  /// Of the sign-flip test, not corrected.
  package let p: Double
  /// The larger of the two medians.
  private let scale: Double
  private let isRelevant: Bool

  /// - Parameters:
  ///   - contender: its values, one for each block.
  ///   - reference: those of the reference in the same blocks.
  ///   - isDifference: whether differences are compared though ratios could be.
  package init?(_ contender: [Double], to reference: [Double], isDifference: Bool = false) {
    precondition(contender.count == reference.count, "values that are not paired")
    guard let own = contender.median, let other = reference.median else { return nil }
    let pairs = Array(zip(contender, reference))
    let isRatio = !isDifference && pairs.allSatisfy { $0 > 0 && $1 > 0 }
    let effects = pairs.map { isRatio ? $0 / $1 : $0 - $1 }
    kind = isRatio ? .ratio : .difference
    median = effects.median ?? 0
    interval = MedianInterval(effects)
    // Logarithms make "twice" and "half" equally far away.
    p = SignFlipTest.p(isRatio ? effects.map { log($0) } : effects)
    scale = max(abs(own), abs(other))
    let share = isRatio ? abs(median - 1) : abs(median) / max(scale, .leastNormalMagnitude)
    isRelevant = share >= Self.leastRelevantShare
  }

  /// How many times as much or as little as the reference its interval allows.
  package var reach: Double? { interval.map { max(factor($0.low), factor($0.high)) } }

  /// How many times as much or as little as the reference it is at least, by its interval; one where that spans no difference.
  package var leastReach: Double? {
    interval.map { $0.low <= neutral && neutral <= $0.high ? 1 : min(factor($0.low), factor($0.high)) }
  }

  /// How far apart the two are at least and at most, in the unit of the values; nil for a ratio.
  package var distance: ClosedRange<Double>? {
    guard kind == .difference, let interval else { return nil }
    let (one, other) = (abs(interval.low), abs(interval.high))
    return (interval.low <= 0 && 0 <= interval.high ? 0 : min(one, other))...max(one, other)
  }

  /// How many times the smaller value the larger one is. A difference is held against the larger of the two medians.
  private func factor(_ effect: Double) -> Double {
    guard kind == .difference else { return max(effect, 1 / effect) }
    return scale == 0 ? 1 : scale / max(scale - abs(effect), .leastNormalMagnitude)
  }

  /// The value that stands for no difference.
  package var neutral: Double { kind == .ratio ? 1 : 0 }

  /// The direction, if one can be told.
  package var direction: Direction {
    guard let interval, isRelevant else { return .none }
    if interval.low > neutral { return .higher }
    if interval.high < neutral { return .lower }
    return .none
  }
}

extension Collection<Double> {
  /// The middle value, or the mean of the two in the middle; nil for none.
  package var median: Double? {
    guard !isEmpty else { return nil }
    let values = sorted()
    return (values[(values.count - 1) / 2] + values[values.count / 2]) / 2
  }
}

/// An interval for the median, from two order statistics of the sample.
///
/// Exact for any continuous distribution: how many of n values lie below the true median is binomial. Ten values are too
/// few for a bootstrap.
package struct MedianInterval: Sendable, Equatable {
  package let low: Double
  package let high: Double
  /// The probability that such an interval covers the median, from 0 to 1.
  package let coverage: Double

  func overlaps(_ other: MedianInterval) -> Bool { low <= other.high && other.low <= high }

  /// The narrowest symmetric interval that covers at least `confidence`; nil for so few values that none does.
  ///
  /// Ten values give the 2nd to the 9th, which covers 97.9 %.
  package init?(_ values: [Double], confidence: Double = 0.95) {
    let count = values.count
    guard count > 0, let (rank, coverage) = Self.rank(of: count, confidence) else { return nil }
    let ordered = values.sorted()
    low = ordered[rank - 1]
    high = ordered[count - rank]
    self.coverage = coverage
  }

  /// The rank of the lower end, counted from one.
  private static func rank(of count: Int, _ confidence: Double) -> (Int, Double)? {
    var found: (Int, Double)?
    // The chance that fewer than `rank` values lie below the median.
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

  /// 2 to this power.
  private static func exponential(_ power: Int) -> Double {
    Double(sign: .plus, exponent: power, significand: 1)
  }
}

/// A percentile that enough samples stand for.
package enum Percentile {
  /// The number of samples below which the percentile would be decided by a handful of them: ten beyond it.
  package static func samplesNeeded(for share: Double) -> Int {
    // 1 - 0.99 is a little more than a hundredth.
    Int((10 / (1 - share)).rounded(.toNearestOrAwayFromZero))
  }

  /// The smallest sample that `share` of all samples do not exceed; nil with too few samples.
  ///
  /// - Parameter share: above 0 and below 1, such as 0.95.
  package static func of(_ samples: [Double], _ share: Double) -> Double? {
    guard samples.count >= samplesNeeded(for: share) else { return nil }
    let rank = Int((share * Double(samples.count) - 1e-9).rounded(.up))
    return samples.sorted()[Swift.max(0, rank - 1)]
  }
}
