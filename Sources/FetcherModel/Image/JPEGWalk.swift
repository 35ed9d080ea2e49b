/// Walks the markers of a JPEG to its end marker, through the entropy-coded scans.
enum JPEGWalk {
  static func size(of bytes: UnsafeRawBufferPointer) throws(FetchError) -> PixelSize {
    var cursor = ByteCursor(bytes, at: 2)
    var size: PixelSize?
    var hasScan = false
    while true {
      let marker = try nextMarker(&cursor)
      switch marker {
      case 0xD9:
        guard let size, hasScan else { throw .notAnImage }
        return size
      case 0x01, 0xD0...0xD7:
        continue
      case 0x00, 0xD8:
        throw .notAnImage
      default:
        let start = cursor.offset
        let length = try cursor.bigEndian(2)
        guard length >= 2 else { throw .notAnImage }
        if isFrame(marker) {
          var frame = ByteCursor(bytes, at: start + 3)
          let height = try frame.bigEndian(2)
          size = try PixelSize(try frame.bigEndian(2), height)
        }
        try cursor.skip(length - 2)
        if marker == 0xDA {
          guard size != nil else { throw .notAnImage }
          hasScan = true
          try skipScan(&cursor)
        }
      }
    }
  }

  private static func nextMarker(_ cursor: inout ByteCursor) throws(FetchError) -> UInt8 {
    guard try cursor.byte() == 0xFF else { throw .notAnImage }
    var marker = try cursor.byte()
    // Any number of FF may fill the space before a marker.
    while marker == 0xFF { marker = try cursor.byte() }
    return marker
  }

  private static func isFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }

  /// Stops in front of the first marker that is no stuffed zero and no restart.
  private static func skipScan(_ cursor: inout ByteCursor) throws(FetchError) {
    let bytes = cursor.bytes
    var offset = cursor.offset
    while offset + 1 < bytes.count {
      if bytes[offset] == 0xFF {
        let next = bytes[offset + 1]
        if next != 0x00, next != 0xFF, !(0xD0...0xD7).contains(next) {
          guard offset > cursor.offset else { throw .notAnImage }
          cursor.offset = offset
          return
        }
      }
      offset += 1
    }
    throw .truncated
  }
}
