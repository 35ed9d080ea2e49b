/// A picture format that ``Picture`` recognises by the bytes, whatever the server calls it.
public enum ImageFormat: String, Sendable, CaseIterable {
  /// JPEG, baseline or progressive.
  case jpeg
  /// PNG.
  case png
  /// GIF, 87a or 89a.
  case gif
  /// WebP, lossy, lossless or extended.
  case webp

  /// What HTTP calls the format.
  public var mediaType: String { "image/\(rawValue)" }

  /// The format whose complete signature `bytes` begin with.
  ///
  /// - Throws: `truncated` when the bytes end inside a signature, `notAnImage` when they begin with none.
  static func recognise(_ bytes: UnsafeRawBufferPointer) throws(FetchError) -> ImageFormat {
    for (format, signature) in signatures {
      let agrees = zip(signature, bytes).allSatisfy { $0 == nil || $0 == $1 }
      guard agrees else { continue }
      guard bytes.count >= signature.count else { throw .truncated }
      return format
    }
    throw .notAnImage
  }

  // A nil stands for any byte: WebP has its length in the middle of its signature.
  private static let signatures: [(ImageFormat, [UInt8?])] = [
    (.jpeg, [0xFF, 0xD8, 0xFF]),
    (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    (.gif, Array("GIF87a".utf8)),
    (.gif, Array("GIF89a".utf8)),
    (.webp, Array("RIFF".utf8) + [nil, nil, nil, nil] + Array("WEBP".utf8)),
  ]
}
