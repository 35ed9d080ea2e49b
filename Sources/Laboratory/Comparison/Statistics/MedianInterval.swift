/// An interval for the median, from two order statistics of the sample.
///
/// Exact for any continuous distribution: how many of n values lie below the true median is binomial. Ten values are too
/// few for a bootstrap.
package struct MedianInterval: Sendable, Equatable {
  package let low: Double
  package let high: Double
  /// How often such an interval covers the median, from 0 to 1.
  package let coverage: Double

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
