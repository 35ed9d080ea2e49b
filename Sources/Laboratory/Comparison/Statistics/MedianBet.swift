import Foundation

/// The method that derives intervals and p-values from the blocks.
package enum Inference: Sendable, Equatable {
  /// The number of blocks was fixed in advance.
  case fixed
  /// The comparison may stop after any block, depending on its results. The probability that the interval ever excludes
  /// the true median is at most `error`.
  case anytime(error: Double)
}

/// Tests a median by betting, which allows the test to stop at any time.
///
/// For each value, a bettor stakes a share of the wealth on the value being above a number m. If m is the median, a
/// value is above it with a probability of at most one half, regardless of earlier values. The wealth is then a
/// supermartingale that starts at one. By Ville's inequality, the probability that it ever reaches 1/e is at most e, so
/// a wealth of 1/e refutes m. The wealth used here is the mean over bettors with different shares. A sine function
/// distributes the shares like Jeffreys' prior, so no share needs to be chosen in advance. A second test bets on values
/// below m.
///
/// Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", Journal of the Royal Statistical
/// Society B 86 (2024). Howard and Ramdas, "Sequential estimation of quantiles with applications to A/B testing and
/// best-arm identification", Bernoulli 28 (2022).
package enum MedianBet {
  /// For each bettor, the logarithms of one plus its share and of one minus its share.
  private static let bettors = (0..<32).map { index in
    let share = sin((Double(index) + 0.5) / 32 * .pi / 2)
    return (win: log1p(share), loss: log1p(-share))
  }

  /// Returns the wealth after `wins` of `count` bets were won.
  package static func wealth(wins: Int, of count: Int) -> Double {
    let (wins, losses) = (Double(wins), Double(count - wins))
    return bettors.reduce(0) { $0 + exp(wins * $1.win + losses * $1.loss) } / Double(bettors.count)
  }

  /// Returns the rank, counted from one, of the interval's lower end among the ordered values. Each of the two tests
  /// gets half of the error. Returns nil if there are too few values.
  package static func rank(of count: Int, error: Double) -> Int? {
    let most = (0..<count / 2).last { wealth(wins: count - $0, of: count) >= 2 / error }
    return most.map { $0 + 1 }
  }

  /// Returns the p-value of the hypothesis that the median is `neutral`. The p-value stays valid whenever the
  /// comparison stops.
  static func p(_ values: [Double], neutral: Double) -> Double {
    let above = values.count { $0 > neutral }
    let below = values.count { $0 < neutral }
    return min(1, 2 / wealth(wins: max(above, below), of: values.count))
  }
}
