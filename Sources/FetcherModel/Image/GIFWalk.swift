/// Walks the blocks of a GIF to its trailer.
enum GIFWalk {
  static func size(of bytes: UnsafeRawBufferPointer) throws(FetchError) -> PixelSize {
    var cursor = ByteCursor(bytes, at: 6)
    let width = try cursor.littleEndian(2)
    let size = try PixelSize(width, try cursor.littleEndian(2))
    let packed = try cursor.byte()
    try cursor.skip(2)
    try skipTable(packed, &cursor)
    var hasFrame = false
    while true {
      switch try cursor.byte() {
      case 0x3B:
        guard hasFrame else { throw .notAnImage }
        return size
      case 0x21:
        try cursor.skip(1)
        try skipSubBlocks(&cursor)
      case 0x2C:
        try cursor.skip(8)
        try skipTable(try cursor.byte(), &cursor)
        try cursor.skip(1)
        let start = cursor.offset
        try skipSubBlocks(&cursor)
        // More than the mark of the end.
        hasFrame = hasFrame || cursor.offset > start + 1
      default:
        throw .notAnImage
      }
    }
  }

  private static func skipTable(_ packed: UInt8, _ cursor: inout ByteCursor) throws(FetchError) {
    if packed & 0x80 != 0 { try cursor.skip(3 << (Int(packed & 7) + 1)) }
  }

  private static func skipSubBlocks(_ cursor: inout ByteCursor) throws(FetchError) {
    while true {
      let length = Int(try cursor.byte())
      if length == 0 { return }
      try cursor.skip(length)
    }
  }
}
