import FetcherModel
package import Foundation

/// A small picture that is generated instead of stored. The origin serves such pictures as the bodies of a scenario's
/// images.
///
/// Each seed has its own color, and no two seeds below 2^24 have the same pixels.
package struct PatternPicture: Sendable {
  package let seed: Int
  package let width: Int
  package let height: Int

  package init(seed: Int, width: Int, height: Int) {
    self.seed = seed
    self.width = width
    self.height = height
  }

  /// The picture as a PNG file.
  ///
  /// The pixels are stored uncompressed, so no compressor is needed.
  package var png: Data {
    var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let color: UInt8 = 2
    file += chunk("IHDR", bigEndian(width) + bigEndian(height) + [8, color, 0, 0, 0])
    file += chunk("IDAT", zlib(pixels))
    file += chunk("IEND", [])
    return file
  }

  private var pixels: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(height * (1 + 3 * width))
    for y in 0..<height {
      bytes.append(0)
      for x in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: (seed &* 67) ^ (seed >> 16)))
        bytes.append(UInt8(truncatingIfNeeded: x ^ y ^ (seed >> 8)))
        bytes.append(UInt8(truncatingIfNeeded: seed))
      }
    }
    return bytes
  }

  private func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      out.append(rest.isEmpty ? 1 : 0)
      for word in [length, ~length] { out += [UInt8(word & 0xFF), UInt8(word >> 8)] }
      out += block
    } while !rest.isEmpty
    return out + bigEndian(Int(adler(bytes)))
  }

  private func adler(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBufferPointer { bytes in
      var (a, b): (UInt32, UInt32) = (1, 0)
      var index = 0
      // An iterator takes several times as long in debug builds.
      while index < bytes.count {
        a = (a + UInt32(bytes[index])) % 65_521
        b = (b + a) % 65_521
        index += 1
      }
      return b << 16 | a
    }
  }

  private func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    let content = Array(type.utf8) + body
    return bigEndian(body.count) + content + bigEndian(Int(content.withUnsafeBytes(CRC32.of)))
  }

  private func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
