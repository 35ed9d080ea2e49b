/// A hash that is the same in every process, unlike the standard library's hash.
package enum FNV1a {
  /// Returns the hash of the string's UTF-8 bytes.
  package static func hash(_ text: String) -> UInt64 { hash(text.utf8) }

  /// Returns the hash of the bytes.
  package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
