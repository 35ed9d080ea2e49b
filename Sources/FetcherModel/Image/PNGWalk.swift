/// Walks the chunks of a PNG to `IEND`, verifying each checksum.
enum PNGWalk {
  static func size(of bytes: UnsafeRawBufferPointer) throws(FetchError) -> PixelSize {
    var cursor = ByteCursor(bytes, at: 8)
    var size: PixelSize?
    var hasPixels = false
    while true {
      let length = try cursor.bigEndian(4)
      let start = cursor.offset
      let type = try cursor.tag()
      try cursor.skip(length)
      let sum = CRC32.of(UnsafeRawBufferPointer(rebasing: bytes[start..<cursor.offset]))
      guard try cursor.bigEndian(4) == Int(sum) else { throw .notAnImage }
      if size == nil {
        guard type == "IHDR", length == 13 else { throw .notAnImage }
        var header = ByteCursor(bytes, at: start + 4)
        size = try PixelSize(try header.bigEndian(4), try header.bigEndian(4))
      }
      if type == "IDAT", length > 0 { hasPixels = true }
      if type == "IEND" { break }
    }
    guard let size, hasPixels else { throw .notAnImage }
    return size
  }
}
