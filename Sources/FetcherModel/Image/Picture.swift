public import Foundation

/// A complete picture with its encoded bytes, format and size. The pixels are not decoded.
public struct Picture: Sendable, Equatable {
  /// The format, detected from the bytes.
  public let format: ImageFormat
  /// The width in pixels as encoded, at least one. An EXIF orientation in the file may tell a decoder to turn the
  /// picture; the width and height do not follow it.
  public let width: Int
  /// The height in pixels as encoded, at least one.
  public let height: Int
  /// The encoded bytes, complete up to the format's end marker or, if that marker is missing, to the last pixel.
  public let bytes: Data
  /// The name of a picture that ships with the model, or nil for a fetched picture.
  public let name: String?

  /// Validates that `bytes` form a complete picture. The running time is proportional to the number of bytes, so call
  /// this initializer on a worker.
  ///
  /// - Throws: `emptyBody`, `notAnImage`, `truncated`, or `tooManyPixels`.
  public init(validating bytes: Data) throws(FetchError) { try self.init(validating: bytes, isCutPossible: false) }

  /// - Parameter isCutPossible: whether more bytes may have been lost. A GIF is then complete only up to its trailer,
  ///   because another frame could follow each frame.
  init(validating bytes: Data, isCutPossible: Bool) throws(FetchError) {
    guard !bytes.isEmpty else { throw .emptyBody }
    // Use a `Result`, because the closure of `withUnsafeBytes` cannot throw a typed error.
    let (format, size) = try bytes.withUnsafeBytes { bytes in
      Result { () throws(FetchError) in try Self.inspect(bytes, isCutPossible) }
    }.get()
    // Both factors fit in 31 bits, so the product does not overflow.
    guard size.width * size.height <= Self.maximumPixels else { throw .tooManyPixels }
    self.init(format: format, size: size, bytes: bytes, name: nil)
  }

  /// The largest product of width and height, 2^28. Decoded with four bytes per pixel, such a picture takes 1 GiB. A
  /// file of a few bytes can claim any size, so this limit protects decoders.
  public static let maximumPixels = 1 << 28

  private init(format: ImageFormat, size: PixelSize, bytes: Data, name: String?) {
    self.format = format
    self.width = size.width
    self.height = size.height
    self.bytes = bytes
    self.name = name
  }

  private static func inspect(
    _ bytes: UnsafeRawBufferPointer, _ isCutPossible: Bool
  ) throws(FetchError) -> (ImageFormat, PixelSize) {
    let format = try ImageFormat.recognize(bytes)
    return switch format {
    case .png: (format, try PNGStructure.size(of: bytes))
    case .jpeg: (format, try JPEGStructure.size(of: bytes))
    case .gif: (format, try GIFStructure.size(of: bytes, requiresTrailer: isCutPossible))
    case .webp: (format, try WebPStructure.size(of: bytes))
    }
  }

  /// Whether the picture is the ``placeholder``.
  public var isPlaceholder: Bool { name == Self.placeholder.name }

  /// The picture that a view shows until the real picture arrives: a single transparent pixel named `photoalbum`.
  public static let placeholder: Picture = {
    let encoded =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
    guard let bytes = Data(base64Encoded: encoded), let whole = try? Picture(validating: bytes),
      let size = try? PixelSize(whole.width, whole.height)
    else { preconditionFailure("Internal inconsistency: the placeholder is not a picture") }
    return Picture(format: whole.format, size: size, bytes: bytes, name: "photoalbum")
  }()
}

/// A picture format. ``Picture`` detects the format from the bytes and ignores the media type that the server states.
public enum ImageFormat: String, Sendable, CaseIterable {
  /// JPEG, either baseline or progressive.
  case jpeg
  /// PNG, including Apple's optimized variant (`CgBI`), which only Apple's decoders show.
  case png
  /// GIF, either 87a or 89a.
  case gif
  /// WebP: lossy, lossless or extended.
  case webp

  /// The MIME type.
  public var mediaType: String { "image/\(rawValue)" }

  /// Returns the format whose complete signature is at the start of `bytes`.
  ///
  /// - Throws: `truncated` if the bytes end within a signature; `notAnImage` if they match no signature.
  static func recognize(_ bytes: UnsafeRawBufferPointer) throws(FetchError) -> ImageFormat {
    for (format, signature) in signatures {
      let agrees = zip(signature, bytes).allSatisfy { $0 == nil || $0 == $1 }
      guard agrees else { continue }
      guard bytes.count >= signature.count else { throw .truncated }
      return format
    }
    throw .notAnImage
  }

  // Nil matches any byte, because WebP has a length field in the middle of its signature.
  private static let signatures: [(ImageFormat, [UInt8?])] = [
    (.jpeg, [0xFF, 0xD8, 0xFF]),
    (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    (.gif, Array("GIF87a".utf8)),
    (.gif, Array("GIF89a".utf8)),
    (.webp, Array("RIFF".utf8) + [nil, nil, nil, nil] + Array("WEBP".utf8)),
  ]
}
