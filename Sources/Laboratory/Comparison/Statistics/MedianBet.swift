import Foundation

/// The method that derives intervals and p-values from the blocks.
package enum Inference: Sendable, Equatable {
  /// For a number of blocks that was fixed in advance.
  case fixed
  /// For a comparison that may stop after any block, depending on its results. The probability that the interval
  /// excludes the true median at any time is at most `error`.
  case anytime(error: Double)
}

/// Tests a median by betting, so that the test may stop at any time.
///
/// A bettor stakes a share of the wealth on each value being above a number m. If m is the median, a value is above it
/// with probability at most one half, regardless of earlier values. The wealth is then a supermartingale that starts at
/// 1. By Ville's inequality it ever reaches 1/e with probability at most e, so a wealth of 1/e refutes m. The wealth
/// here is the mean of bettors with different shares. The sines spread them like Jeffreys' prior, so no share must be
/// chosen in advance. A second test bets on values below m.
///
/// Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", Journal of the Royal Statistical
/// Society B 86 (2024). Howard and Ramdas, "Sequential estimation of quantiles with applications to A/B testing and
/// best-arm identification", Bernoulli 28 (2022).
package enum MedianBet {
  /// The logarithms of one plus and one minus the share of each bettor.
  private static let bettors = (0..<32).map { index in
    let share = sin((Double(index) + 0.5) / 32 * .pi / 2)
    return (win: log1p(share), loss: log1p(-share))
  }

  /// The wealth after `wins` of `count` bets.
  package static func wealth(wins: Int, of count: Int) -> Double {
    let (wins, losses) = (Double(wins), Double(count - wins))
    return bettors.reduce(0) { $0 + exp(wins * $1.win + losses * $1.loss) } / Double(bettors.count)
  }

  /// The rank, from one, of the lower end of the interval in the ordered values. Each of the two tests has half of the
  /// error. Nil for too few values.
  package static func rank(of count: Int, error: Double) -> Int? {
    let most = (0..<count / 2).last { wealth(wins: count - $0, of: count) >= 2 / error }
    return most.map { $0 + 1 }
  }

  /// The p-value of the hypothesis that the median is `neutral`. It is valid at any time.
  static func p(_ values: [Double], neutral: Double) -> Double {
    let above = values.count { $0 > neutral }
    let below = values.count { $0 < neutral }
    return min(1, 2 / wealth(wins: max(above, below), of: values.count))
  }
}
