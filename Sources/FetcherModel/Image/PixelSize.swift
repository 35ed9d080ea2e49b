/// Width and height in pixels, both at least one.
struct PixelSize: Equatable {
  var width: Int
  var height: Int

  init(_ width: Int, _ height: Int) throws(FetchError) {
    guard width > 0, height > 0 else { throw .notAnImage }
    self.width = width
    self.height = height
  }
}

/// Reads numbers out of bytes; past the end it throws `truncated`.
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
