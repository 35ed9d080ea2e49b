import FetcherModel
import Testing

@Suite struct ChecksumTests {
  @Test("The CRC-32 matches its definition for every length of input", arguments: 0...40)
  func check(_ count: Int) {
    // Bit by bit, as in the definition.
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    let expected = ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }
    #expect(bytes.withUnsafeBytes(CRC32.of) == expected)
    // https://reveng.sourceforge.io/crc-catalogue/all.htm#crc.cat.crc-32-iso-hdlc
    #expect(Array("123456789".utf8).withUnsafeBytes(CRC32.of) == 0xCBF4_3926)
  }
}
