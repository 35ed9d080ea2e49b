/// The median and the quartiles of several samples.
public struct Spread: Encodable, Sendable {
  /// Half of the samples are below, half above.
  public let median: Double
  /// A quarter of the samples is below.
  public let lowerQuartile: Double
  /// A quarter of the samples is above.
  public let upperQuartile: Double

  /// Returns nil if there are no samples.
  init?(_ samples: [Double]) {
    guard !samples.isEmpty else { return nil }
    let sorted = samples.sorted()
    func quantile(_ part: Double) -> Double {
      let place = part * Double(sorted.count - 1)
      let below = Int(place)
      let above = min(below + 1, sorted.count - 1)
      return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }
    median = quantile(0.5)
    lowerQuartile = quantile(0.25)
    upperQuartile = quantile(0.75)
  }
}
