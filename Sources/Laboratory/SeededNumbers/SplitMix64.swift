/// A generator of random numbers. The same seed produces the same numbers on every machine, and every seed is valid.
@usableFromInline
package struct SplitMix64: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  @inlinable package init(seed: UInt64) { state = seed }

  @inlinable package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.scatter(state)
  }

  /// The algorithm's finalizer. Inputs that differ in a few bits produce results that differ in about half of their
  /// bits.
  @inlinable package static func scatter(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
