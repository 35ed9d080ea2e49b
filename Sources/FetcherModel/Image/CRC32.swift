/// The checksum of PNG chunks (ISO 3309, polynomial 0xEDB88320), computed eight bytes at a time. `table[k]` contains
/// the contribution of a byte that is followed by `k` more bytes.
package enum CRC32 {
  private static let table: [UInt32] = {
    var table: [UInt32] = (0..<256).map { index in
      (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }
    for index in 0..<7 * 256 {
      let before = table[index]
      table.append(table[Int(before & 0xFF)] ^ (before >> 8))
    }
    return table
  }()

  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      var sum = UInt32.max
      var offset = 0
      while bytes.count - offset >= 8 {
        let word = Int(
          truncatingIfNeeded: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            ^ UInt64(sum))
        // Unrolled, because an inner loop takes several times as long in debug builds.
        sum = table[0x700 | word & 0xFF] ^ table[0x600 | word >> 8 & 0xFF]
        sum ^= table[0x500 | word >> 16 & 0xFF] ^ table[0x400 | word >> 24 & 0xFF]
        sum ^= table[0x300 | word >> 32 & 0xFF] ^ table[0x200 | word >> 40 & 0xFF]
        sum ^= table[0x100 | word >> 48 & 0xFF] ^ table[word >> 56 & 0xFF]
        offset += 8
      }
      for byte in bytes[offset...] { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
      return ~sum
    }
  }
}
