import Comparison
import Foundation
import PlainText
import SeededNumbers
import TestMachine
import Testing

@Suite("Paired effects", .computing) struct PairedEffectTests {
  /// Returns realistic values: each block has its own speed, each run has some noise, and 3 % of the runs are slow.
  private func values(_ truth: Double, blocks: [Double], _ generator: inout SplitMix64) -> [Double] {
    blocks.map { block in
      let slow = Double.random(in: 0..<1, using: &generator) < 0.03 ? 1.5 : 1
      return truth * block * Double.random(in: 0.96...1.04, using: &generator) * slow
    }
  }

  private func blocks(_ generator: inout SplitMix64) -> [Double] {
    (0..<10).map { _ in Double.random(in: 0.7...1.3, using: &generator) }
  }

  @Test("A strategy shows no difference from itself in at least 19 of 20 comparisons") func same() throws {
    for group in 0..<10 {
      let clear = try (0..<20).count { run in
        var generator = SplitMix64(seed: UInt64(group * 20 + run))
        let blocks = blocks(&generator)
        let reference = values(10, blocks: blocks, &generator)
        let effect = try #require(PairedEffect(values(10, blocks: blocks, &generator), to: reference))
        return effect.direction != .none
      }
      #expect(clear <= 1, "runs \(group * 20) to \(group * 20 + 19)")
    }
  }

  @Test("The effect detects a known slowdown, and its interval covers it") func slowed() throws {
    var covered = 0
    var found = 0
    for seed in 0..<200 {
      var generator = SplitMix64(seed: UInt64(1000 + seed))
      let blocks = blocks(&generator)
      let reference = values(10, blocks: blocks, &generator)
      // The contender takes 12 ms instead of 10 ms.
      let effect = try #require(PairedEffect(values(12, blocks: blocks, &generator), to: reference))
      #expect(effect.kind == .ratio)
      if effect.direction == .higher { found += 1 }
      let interval = try #require(effect.interval)
      if (interval.low...interval.high).contains(1.2) { covered += 1 }
    }
    // 97.9 % of 200 is 196. Fewer than 189 would occur by chance once in 10,000 times.
    #expect(covered >= 189)
    #expect(found >= 190)
  }

  @Test("A difference below 2 % does not count, even if it is sure") func irrelevant() throws {
    let reference = (1...10).map(Double.init)
    let effect = try #require(PairedEffect(reference.map { $0 * 1.019 }, to: reference))
    #expect(try #require(effect.interval).low > 1)
    #expect(effect.direction == .none)
    let relevant = try #require(PairedEffect(reference.map { $0 * 1.021 }, to: reference))
    #expect(relevant.direction == .higher)
  }

  @Test("A zero reference is compared by difference instead of ratio") func zeros() throws {
    let reference = Array(repeating: 0.0, count: 10)
    let contender = (1...10).map { Double($0) * 1e6 }
    let effect = try #require(PairedEffect(contender, to: reference))
    #expect(effect.kind == .difference)
    #expect(effect.median == 5.5e6)
    #expect(effect.direction == .higher)
    let known = try #require(PairedEffect([2, 2, 2, 2, 2, 2], to: [1, 1, 1, 1, 1, 1], isDifference: true))
    #expect(known.kind == .difference)
    #expect(known.median == 1)
    let none = try #require(PairedEffect(reference, to: reference))
    #expect(none.direction == .none)
    #expect(none.p == 1)
  }

  @Test("Fewer than six blocks give no interval and no direction") func few() throws {
    let effect = try #require(PairedEffect([9, 9, 9, 9, 9], to: [1, 1, 1, 1, 1]))
    #expect(effect.interval == nil)
    #expect(effect.direction == .none)
    #expect(PairedEffect([], to: []) == nil)
  }
}
