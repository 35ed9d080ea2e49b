import Bytes

/// The order in which contenders are measured: each once in every block, shuffled anew for each block.
package enum BlockOrder {
  /// One permutation of `contenders` for each block; the same seed gives the same orders.
  package static func orders<Contender>(of contenders: [Contender], blocks: Int, seed: UInt64) -> [[Contender]] {
    var generator = SplitMix64(seed: seed)
    return (0..<blocks).map { _ in contenders.shuffled(using: &generator) }
  }
}
