/// Walks a JPEG's markers to the end marker, through the entropy-coded scans.
///
/// As decoders do, it skips stray bytes before a marker, and it accepts a JPEG without an end marker if the last scan
/// is complete (``JPEGScan``).
enum JPEGStructure {
  static func size(of bytes: UnsafeRawBufferPointer) throws(FetchError) -> PixelSize {
    var cursor = ByteCursor(bytes, at: 2)
    var header = JPEGScan.Header()
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
      case 0xD8:
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
        let segment = ByteCursor(UnsafeRawBufferPointer(rebasing: bytes[..<cursor.offset]), at: start + 2)
        header.read(marker, segment)
        guard marker == 0xDA else { continue }
        guard let size else { throw .notAnImage }
        hasScan = true
        let data = cursor
        do {
          try skipScan(&cursor)
        } catch {
          if error == .truncated, JPEGScan(header, segment, data: data)?.isWhole() == true { return size }
          throw error
        }
      }
    }
  }

  private static func nextMarker(_ cursor: inout ByteCursor) throws(FetchError) -> UInt8 {
    while true {
      if try cursor.byte() != 0xFF {
        // Stray bytes are damage. If no marker follows them, another attempt would receive the same bytes.
        guard let next = cursor.bytes[cursor.offset...].firstIndex(of: 0xFF) else { throw .notAnImage }
        cursor.offset = next + 1
      }
      var marker: UInt8
      // Any number of FF bytes can precede a marker.
      repeat { marker = try cursor.byte() } while marker == 0xFF
      if marker != 0 { return marker }
    }
  }

  private static func isFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }

  /// Stops at the first marker that is neither a stuffed zero nor a restart marker.
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

/// Walks a PNG's chunks to `IEND`, verifying each checksum. In Apple's variant, `CgBI` precedes the header.
enum PNGStructure {
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
      if size == nil, type != "CgBI" {
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

/// Walks a GIF's blocks to the trailer.
///
/// As browsers do, it accepts a screen without a size and, unless the trailer is required, a GIF that ends after a
/// complete frame without a trailer or with stray bytes.
enum GIFStructure {
  static func size(of bytes: UnsafeRawBufferPointer, requiresTrailer: Bool) throws(FetchError) -> PixelSize {
    var cursor = ByteCursor(bytes, at: 6)
    let width = try cursor.littleEndian(2)
    var size = try? PixelSize(width, try cursor.littleEndian(2))
    let packed = try cursor.byte()
    try cursor.skip(2)
    try skipTable(packed, &cursor)
    var hasFrame = false
    while true {
      if hasFrame, !requiresTrailer, let size, cursor.offset == bytes.count { return size }
      let introducer = try cursor.byte()
      switch introducer {
      case 0x21:
        try cursor.skip(1)
        try skipSubBlocks(&cursor)
      case 0x2C:
        try cursor.skip(4)
        let width = try cursor.littleEndian(2)
        let height = try cursor.littleEndian(2)
        if size == nil { size = try PixelSize(width, height) }
        try skipTable(try cursor.byte(), &cursor)
        try cursor.skip(1)
        let start = cursor.offset
        try skipSubBlocks(&cursor)
        // A frame counts only if it contains more than its end marker.
        hasFrame = hasFrame || cursor.offset > start + 1
      default:
        // The trailer (3B), or a byte that begins no block.
        guard hasFrame, let size, introducer == 0x3B || !requiresTrailer else { throw .notAnImage }
        return size
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

/// Walks a WebP's chunks to the first frame.
enum WebPStructure {
  static func size(of bytes: UnsafeRawBufferPointer) throws(FetchError) -> PixelSize {
    var header = ByteCursor(bytes, at: 4)
    let end = 8 + (try header.littleEndian(4))
    guard end <= bytes.count else { throw .truncated }
    do throws(FetchError) {
      var cursor = ByteCursor(UnsafeRawBufferPointer(rebasing: bytes[..<end]), at: 12)
      return try frame(&cursor)
    } catch {
      // The file has its full length, so the missing bytes mean that a chunk is corrupt.
      throw .notAnImage
    }
  }

  /// Returns the canvas size, or the size of the first frame if there is no canvas. Throws if there is no frame.
  private static func frame(_ cursor: inout ByteCursor) throws(FetchError) -> PixelSize {
    var canvas: PixelSize?
    while true {
      let type = try cursor.tag()
      let length = try cursor.littleEndian(4)
      let start = cursor.offset
      // A chunk of odd length is padded, but the last chunk sometimes lacks the padding.
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
        // The pixel data consists of a first partition of this length and at least one more byte.
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
        // An animation frame contains nested chunks, which the next iterations read.
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

/// The width and height in pixels, both at least one and at most the limit of PNG, which is the largest of the formats.
struct PixelSize: Equatable {
  var width: Int
  var height: Int

  init(_ width: Int, _ height: Int) throws(FetchError) {
    let range = 1...Int(Int32.max)
    guard range.contains(width), range.contains(height) else { throw .notAnImage }
    self.width = width
    self.height = height
  }
}

/// Reads numbers from bytes. Throws `truncated` when reading past the end.
struct ByteCursor {
  let bytes: UnsafeRawBufferPointer
  var offset = 0

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  mutating func byte() throws(FetchError) -> UInt8 {
    guard offset < bytes.count else { throw .truncated }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func skip(_ count: Int) throws(FetchError) {
    guard count <= bytes.count - offset else { throw .truncated }
    offset += count
  }

  mutating func bigEndian(_ count: Int) throws(FetchError) -> Int {
    var value = 0
    for _ in 0..<count { value = value << 8 | Int(try byte()) }
    return value
  }

  mutating func littleEndian(_ count: Int) throws(FetchError) -> Int {
    var value = 0
    for index in 0..<count { value |= Int(try byte()) << (8 * index) }
    return value
  }

  mutating func tag() throws(FetchError) -> String {
    var text = ""
    for _ in 0..<4 { text.unicodeScalars.append(Unicode.Scalar(try byte())) }
    return text
  }
}
