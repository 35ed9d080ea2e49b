/// Checks the RIFF length of a WebP and reads the pixel size from its first chunk.
enum WebPWalk {
  static func size(of bytes: UnsafeRawBufferPointer) throws(FetchError) -> PixelSize {
    var cursor = ByteCursor(bytes, at: 4)
    guard try cursor.littleEndian(4) <= bytes.count - 8 else { throw .truncated }
    try cursor.skip(4)
    let type = try cursor.tag()
    let length = try cursor.littleEndian(4)
    guard length <= bytes.count - cursor.offset else { throw .truncated }
    switch type {
    case "VP8 ":
      try cursor.skip(3)
      guard try cursor.bigEndian(3) == 0x9D012A else { throw .notAnImage }
      let width = try cursor.littleEndian(2) & 0x3FFF
      return try PixelSize(width, try cursor.littleEndian(2) & 0x3FFF)
    case "VP8L":
      guard try cursor.byte() == 0x2F else { throw .notAnImage }
      let bits = try cursor.littleEndian(4)
      return try PixelSize(bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    case "VP8X":
      try cursor.skip(4)
      let width = try cursor.littleEndian(3) + 1
      return try PixelSize(width, try cursor.littleEndian(3) + 1)
    default:
      throw .notAnImage
    }
  }
}
