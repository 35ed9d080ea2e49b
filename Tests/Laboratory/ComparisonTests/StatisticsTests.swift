import Comparison
import Foundation
import SeededNumbers
import TestMachine
import Testing

/// The numbers come from SciPy and statsmodels: `known-answers.py` in this folder computes them.
@Suite("Statistics", .computing) struct StatisticsTests {
  private let ten = [0.31, -0.12, 0.44, 0.25, 0.07, 0.52, -0.03, 0.18, 0.29, 0.40]
  private let seven = [1.2, 0.9, 1.1, 1.4, 0.8, 1.3, 1.0]
  private let tied = [0.0, 0.0, 1.0, 1.0, -1.0, 2.0, 0.0, 1.0]

  @Test("The median is the middle value or the mean of the middle two") func median() {
    #expect(ten.median == 0.27)
    #expect(seven.median == 1.1)
    #expect([Double]().median == nil)
  }

  @Test("The sign-flip p-value matches SciPy's permutation test") func signFlip() {
    #expect(SignFlipTest.p(ten) == 0.013671875)
    #expect(SignFlipTest.p(seven) == 0.015625)
    #expect(SignFlipTest.p(tied) == 0.3125)
    #expect(SignFlipTest.p([]) == 1)
    #expect(SignFlipTest.p([0, 0, 0]) == 1)
  }

  @Test("A ratio and its inverse have the same rank") func tiedRatios() {
    // The last bits of these two logarithms differ.
    let isAhead = [true, false, true, true, false, true, true, true]
    let ratios: [Double] = isAhead.map { $0 ? log(9.0 / 8.0) : log(8.0 / 9.0) }
    let signs: [Double] = isAhead.map { $0 ? 1 : -1 }
    #expect(SignFlipTest.p(ratios) == SignFlipTest.p(signs))
  }

  @Test("The test rejects at most 5 % of the comparisons of equal counts") func counts() {
    var generator = SplitMix64(seed: 7)
    let comparisons = LongTests.times(300, long: 10_000)
    let wrong = (0..<comparisons).count { _ in
      let ratios: [Double] = (0..<10).map { _ in
        let (one, other) = (Int.random(in: 7...9, using: &generator), Int.random(in: 7...9, using: &generator))
        return log(Double(one) / Double(other))
      }
      return SignFlipTest.p(ratios) <= 0.05
    }
    // Three standard deviations above 5 %.
    let variance: Double = 0.05 * 0.95 * Double(comparisons)
    let most: Double = 0.05 * Double(comparisons) + 3 * variance.squareRoot()
    #expect(Double(wrong) <= most, "\(wrong) of \(comparisons)")
    #expect(wrong > 0)
  }

  @Test("For many pairs, a repeatable sample approximates the p-value")
  func drawnSignFlip() {
    let many = (1...20).map { Double($0 % 3 == 0 ? -$0 : $0) }
    let p = SignFlipTest.p(many)
    #expect(abs(p - 0.1230926513671875) < 0.005)
    #expect(p == SignFlipTest.p(many))
  }

  @Test("The interval of ten values reaches from the 2nd to the 9th value and covers 97.9 %")
  func interval() throws {
    let interval = try #require(MedianInterval(ten))
    #expect(interval.low == -0.03)
    #expect(interval.high == 0.44)
    #expect(interval.coverage == 0.978515625)
    #expect(MedianInterval(Array(repeating: 1, count: 5)) == nil, "five values cannot cover 95 %")
  }

  @Test(
    "The rank and the coverage of an interval match SciPy",
    arguments: [
      (6, 1, 0.96875), (7, 1, 0.984375), (20, 6, 0.9586105346679688), (31, 10, 0.9705506265163422),
    ])
  func rank(_ count: Int, _ rank: Int, _ coverage: Double) throws {
    let interval = try #require(MedianInterval((1...count).map(Double.init)))
    #expect(interval.low == Double(rank))
    #expect(interval.high == Double(count + 1 - rank))
    #expect(abs(interval.coverage - coverage) < 1e-12)
  }

  @Test("Holm's correction matches statsmodels, including ties") func holm() {
    let adjusted = Holm.adjusted([0.012, 0.00195, 0.34, 0.021, 0.00195])
    for (own, known) in zip(adjusted, [0.036, 0.00975, 0.34, 0.042, 0.00975]) { #expect(abs(own - known) < 1e-12) }
  }

  @Test("Percentiles match NumPy and need ten samples beyond them")
  func percentiles() {
    let samples = (0..<1000).map { Double(($0 * 37) % 1009) / 10 }
    #expect(Percentile.of(samples, 0.5) == 49.9)
    #expect(Percentile.of(samples, 0.95) == 95.7)
    #expect(Percentile.of(samples, 0.99) == 99.8)
    #expect([0.5, 0.95, 0.99].map(Percentile.samplesNeeded) == [20, 200, 1000])
    #expect(Percentile.of(Array(samples.dropLast()), 0.99) == nil)
    #expect(Percentile.of(Array(samples.prefix(200)), 0.95) != nil)
    #expect(Percentile.of(Array(samples.prefix(199)), 0.95) == nil)
  }

  @Test("Each block contains each contender once, in an order that the seed determines") func order() {
    let contenders = ["a", "b", "c", "d", "e"]
    let orders = BlockOrder.orders(of: contenders, blocks: 40, seed: 7)
    #expect(orders.count == 40)
    for order in orders { #expect(order.sorted() == contenders) }
    #expect(orders == BlockOrder.orders(of: contenders, blocks: 40, seed: 7))
    #expect(orders != BlockOrder.orders(of: contenders, blocks: 40, seed: 8))
    for contender in contenders {
      let first = orders.count { $0.first == contender }
      #expect((2...16).contains(first), "\(contender) is first in \(first) of 40 blocks")
    }
  }
}
