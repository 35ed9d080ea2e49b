/// Walks the chunks of a WebP to its first frame.
enum WebPWalk {
  static func size(of bytes: UnsafeRawBufferPointer) throws(FetchError) -> PixelSize {
    var header = ByteCursor(bytes, at: 4)
    let end = 8 + (try header.littleEndian(4))
    guard end <= bytes.count else { throw .truncated }
    do throws(FetchError) {
      var cursor = ByteCursor(UnsafeRawBufferPointer(rebasing: bytes[..<end]), at: 12)
      return try frame(&cursor)
    } catch {
      // The file is complete: what lacks is missing inside.
      throw .notAnImage
    }
  }

  /// The size of the canvas, or that of the first frame where there is none. Throws when there is no frame.
  private static func frame(_ cursor: inout ByteCursor) throws(FetchError) -> PixelSize {
    var canvas: PixelSize?
    while true {
      let type = try cursor.tag()
      let length = try cursor.littleEndian(4)
      let start = cursor.offset
      // A chunk of odd length is filled up, the last one not always.
      try cursor.skip(length)
      let next = min(cursor.offset + length % 2, cursor.bytes.count)
      var chunk = ByteCursor(UnsafeRawBufferPointer(rebasing: cursor.bytes[..<cursor.offset]), at: start)
      cursor.offset = next
      switch type {
      case "VP8 ":
        let tag = try chunk.littleEndian(3)
        guard tag & 1 == 0, try chunk.bigEndian(3) == 0x9D012A else { throw .notAnImage }
        let width = try chunk.littleEndian(2) & 0x3FFF
        let size = try PixelSize(width, try chunk.littleEndian(2) & 0x3FFF)
        // The pixels: a first partition of this length, and at least a byte more.
        try chunk.skip(tag >> 5 + 1)
        return canvas ?? size
      case "VP8L":
        guard try chunk.byte() == 0x2F else { throw .notAnImage }
        let bits = try chunk.littleEndian(4)
        try chunk.skip(1)
        let size = try PixelSize(bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        return canvas ?? size
      case "VP8X" where canvas == nil:
        try chunk.skip(4)
        let width = try chunk.littleEndian(3) + 1
        canvas = try PixelSize(width, try chunk.littleEndian(3) + 1)
      case "ANMF" where canvas != nil:
        // A frame of an animation holds chunks of its own: they are next.
        try chunk.skip(16)
        cursor.offset = chunk.offset
      case "VP8X", "ANMF":
        throw .notAnImage
      default:
        break
      }
    }
  }
}
