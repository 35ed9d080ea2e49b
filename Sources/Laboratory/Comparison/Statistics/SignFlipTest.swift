import PlainText
import SeededNumbers

/// Tests whether paired differences are centered at zero, by trying every combination of flipped signs.
///
/// The statistic is Wilcoxon's sum of signed ranks, not the sum of the differences. On a busy machine, a single delayed
/// run would dominate a plain sum.
package enum SignFlipTest {
  /// The maximum number of pairs for which the test tries all sign patterns. With more pairs, it samples random
  /// patterns.
  package static let mostExactPairs = 16
  private static let draws = 1 << 16
  /// The relative difference up to which two differences are equal.
  private static let tolerance = 1e-12

  /// Returns the two-sided p-value. The p-value is the share of sign patterns whose rank sum is at least as far from
  /// zero as the observed sum.
  ///
  /// The smallest possible value for n pairs is 2 / 2^n. Pairs without a difference do not count. If no pairs remain,
  /// the result is 1.
  package static func p(_ differences: [Double]) -> Double {
    let signed = signedRanks(differences.filter { $0 != 0 })
    let threshold = abs(signed.reduce(0, +)) - 1e-9
    guard !signed.isEmpty else { return 1 }
    if signed.count <= mostExactPairs { return exact(signed, threshold) }
    return drawn(signed, threshold)
  }

  /// Ranks the differences by absolute value, and returns the signed ranks. Differences with equal absolute values
  /// share the mean of their ranks. The test stays exact, because it flips the signs of these same ranks.
  ///
  /// The logarithms of 9/8 and of 8/9 differ in their last bit, so equality has a tolerance.
  private static func signedRanks(_ differences: [Double]) -> [Double] {
    differences.map { difference in
      let bounds = abs(difference) * (1 - tolerance)...abs(difference) * (1 + tolerance)
      let smaller = differences.count { abs($0) < bounds.lowerBound }
      let equal = differences.count { bounds.contains(abs($0)) }
      let rank = Double(smaller) + Double(equal + 1) / 2
      return difference < 0 ? -rank : rank
    }
  }

  private static func exact(_ ranks: [Double], _ threshold: Double) -> Double {
    let patterns = 1 << ranks.count
    var signed = ranks
    var sum = ranks.reduce(0, +)
    var extreme = abs(sum) >= threshold ? 1 : 0
    // In the order of a Gray code, each pattern flips one sign of the previous one. The sums are exact, because the
    // ranks are multiples of 1/2.
    for pattern in 1..<patterns {
      let index = pattern.trailingZeroBitCount
      sum -= 2 * signed[index]
      signed[index].negate()
      if abs(sum) >= threshold { extreme += 1 }
    }
    return Double(extreme) / Double(patterns)
  }

  private static func drawn(_ ranks: [Double], _ threshold: Double) -> Double {
    // Use a fixed seed, so that the same data always gives the same p-value.
    var generator = SplitMix64(seed: 1)
    var extreme = 1
    for _ in 0..<draws {
      let sum = ranks.reduce(0.0) { generator.next() >> 63 == 1 ? $0 - $1 : $0 + $1 }
      if abs(sum) >= threshold { extreme += 1 }
    }
    return Double(extreme) / Double(draws + 1)
  }
}

/// Corrects p-values for the number of comparisons (Holm's step-down procedure).
package enum Holm {
  /// Returns the adjusted p-values, in input order.
  package static func adjusted(_ values: [Double]) -> [Double] {
    var result = values
    var largest = 0.0
    for (position, index) in values.indices.sorted(by: { values[$0] < values[$1] }).enumerated() {
      largest = max(largest, min(1, values[index] * Double(values.count - position)))
      result[index] = largest
    }
    return result
  }
}

/// The order in which the contenders are measured. In every block, each contender runs once, in a new random order.
package enum BlockOrder {
  /// Returns one permutation of `contenders` for each block. The same seed always gives the same permutations.
  package static func orders<Contender>(of contenders: [Contender], blocks: Int, seed: UInt64) -> [[Contender]] {
    var generator = SplitMix64(seed: seed)
    return (0..<blocks).map { _ in contenders.shuffled(using: &generator) }
  }
}
