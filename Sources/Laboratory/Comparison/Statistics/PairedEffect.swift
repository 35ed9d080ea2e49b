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
