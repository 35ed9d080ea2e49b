import Bytes

extension SplitMix64 {
  /// The generator of one run of a search.
  init(seed: UInt64, run: Int) {
    self.init(seed: Self.scatter(seed) ^ Self.scatter(UInt64(truncatingIfNeeded: run) &+ 1))
  }

  /// A number below the bound. The numbers are equally likely, but for one draw in about 2^40.
  mutating func next(below bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
