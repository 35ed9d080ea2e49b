import FetcherModel
import Foundation
import ModelFixtures
import Testing

@Suite struct ImageCacheTests {
  private let png: Picture
  private let gif: Picture

  init() throws {
    png = try Picture(validating: Sample.png.bytes)
    gif = try Picture(validating: Sample.gif.bytes)
  }

  @Test("A full cache evicts the least recently used picture first")
  func theLeastRecentlyUsedGoesFirst() {
    let cache = ImageCache(countLimit: 2)
    cache.store(png, for: "a")
    cache.store(png, for: "b")
    _ = cache.picture(for: "a")
    cache.store(png, for: "c")
    #expect(cache.picture(for: "b") == nil)
    #expect(cache.picture(for: "a") != nil)
    #expect(cache.picture(for: "c") != nil)
    #expect(cache.count == 2)
  }

  @Test("Storing another picture for an address keeps the cost exact")
  func theCostIsExactAfterAnOverwrite() {
    let cache = ImageCache()
    cache.store(png, for: "a")
    cache.store(gif, for: "a")
    #expect(cache.cost == gif.bytes.count)
    cache.removeAll()
    #expect(cache.cost == 0)
    #expect(cache.count == 0)
  }

  @Test("By default, only the size of the pictures limits a cache") func defaults() {
    let cache = ImageCache()
    for number in 0..<1000 { cache.store(png, for: "\(number)") }
    #expect(cache.count == 1000 && cache.costLimit == 64 << 20)
  }

  @Test("Lowering a limit evicts pictures immediately")
  func loweringALimitTrimsAtOnce() {
    let cache = ImageCache()
    for name in ["a", "b", "c"] { cache.store(png, for: name) }
    cache.countLimit = 2
    #expect(cache.count == 2)
    cache.costLimit = png.bytes.count
    #expect(cache.count == 1)
    #expect(cache.picture(for: "c") != nil)
  }

  @Test("A picture above the cost limit is not stored and evicts no other picture")
  func tooCostly() {
    let cache = ImageCache(costLimit: png.bytes.count + gif.bytes.count)
    cache.store(png, for: "a")
    cache.store(gif, for: "b")
    cache.costLimit = max(png.bytes.count, gif.bytes.count)
    let kept = cache.count
    cache.costLimit = min(png.bytes.count, gif.bytes.count)
    let small = png.bytes.count < gif.bytes.count ? png : gif
    cache.store(small, for: "c")
    cache.store(png.bytes.count < gif.bytes.count ? gif : png, for: "d")
    #expect(kept == 1)
    #expect(cache.picture(for: "c") != nil)
    #expect(cache.picture(for: "d") == nil)
    #expect(cache.cost == small.bytes.count)
  }

  @Test("A cache with a limit of zero or less stores nothing")
  func noRoom() {
    for cache in [ImageCache(countLimit: 0), ImageCache(costLimit: 0), ImageCache(countLimit: -1)] {
      cache.store(png, for: "a")
      #expect(cache.count == 0)
      #expect(cache.cost == 0)
    }
  }

  @Test("After ten thousand uses, the cache's count and cost are exact")
  func tenThousandUsesKeepTheBooksRight() {
    let cache = ImageCache(countLimit: 7)
    for step in 0..<10_000 {
      let name = "\(step * 7919 % 23)"
      if step % 3 == 0 { cache.store(step % 2 == 0 ? png : gif, for: name) } else { _ = cache.picture(for: name) }
    }
    #expect(cache.count == 7)
    #expect(cache.cost == (0..<23).compactMap { cache.picture(for: "\($0)")?.bytes.count }.reduce(0, +))
  }
}
