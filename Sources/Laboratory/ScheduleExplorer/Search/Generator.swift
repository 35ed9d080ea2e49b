/// SplitMix64: a small generator of which every seed is a good one.
struct Generator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// The generator of one run of a search.
  init(seed: UInt64, run: Int) { state = Self.scatter(seed) ^ Self.scatter(UInt64(truncatingIfNeeded: run) &+ 1) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.scatter(state)
  }

  /// Less than the bound, each equally likely but for one in 2^40 or so.
  mutating func next(below bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  static func scatter(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
