import FetcherModel
import Foundation
import ModelFixtures
import PlainText
import SeededNumbers
import Testing

@Suite(.timeLimit(.minutes(10))) struct CacheStressTests {
  @Test("Under parallel operations, the cache's count and cost stay exact and within their limits")
  func tenThousandOperations() async throws {
    let pictures = try Sample.all.map { try Picture(validating: $0.bytes) }
    let cache = ImageCache(countLimit: 20, costLimit: 3000)
    await onThreads(5) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for step in 0..<2000 {
        let address = "\(Int.random(in: 0..<60, using: &random))"
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: cache.store(pictures[Int.random(in: 0..<pictures.count, using: &random)], for: address)
        case 4..<8: _ = cache.picture(for: address)
        case 8: cache.countLimit = Int.random(in: 5...20, using: &random)
        default: if step % 100 == 0 { cache.removeAll() } else { _ = (cache.count, cache.cost) }
        }
      }
    }
    cache.countLimit = 20
    let kept = (0..<60).compactMap { cache.picture(for: "\($0)") }
    #expect(kept.count == cache.count)
    #expect(kept.map(\.bytes.count).reduce(0, +) == cache.cost)
    #expect(cache.count <= 20)
    #expect(cache.cost <= 3000)
  }
}
