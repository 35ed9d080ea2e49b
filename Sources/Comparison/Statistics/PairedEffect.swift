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
    let share = isRatio ? abs(median - 1) : abs(median) / max(abs(own), abs(other), .leastNormalMagnitude)
    isRelevant = share >= Self.leastRelevantShare
  }

  /// Of a ratio, how many times as much or as little as the reference its interval allows.
  package var reach: Double? {
    guard kind == .ratio, let interval, interval.low > 0 else { return nil }
    return max(interval.high, 1 / interval.low)
  }

  /// The value that stands for no difference.
  package var neutral: Double { kind == .ratio ? 1 : 0 }

  /// Whether the contender is at least so many times as high or as low as the reference. A difference has no such limit.
  package func isAtLeast(_ factor: Double) -> Bool { kind == .difference || max(median, 1 / median) >= factor }

  /// The direction, if one can be told.
  package var direction: Direction {
    guard let interval, isRelevant else { return .none }
    if interval.low > neutral { return .higher }
    if interval.high < neutral { return .lower }
    return .none
  }
}
