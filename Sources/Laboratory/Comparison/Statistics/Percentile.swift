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
