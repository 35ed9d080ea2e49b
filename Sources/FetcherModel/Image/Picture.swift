public import Foundation

/// A complete picture: its encoded bytes, its format and its size. Nothing is decoded.
public struct Picture: Sendable, Equatable {
  /// The format, recognised by the bytes.
  public let format: ImageFormat
  /// Width in pixels, at least one.
  public let width: Int
  /// Height in pixels, at least one.
  public let height: Int
  /// The encoded bytes, complete to the format's end mark.
  public let bytes: Data
  /// The name of a picture that ships with the model; nil for one that was fetched.
  public let name: String?

  /// Validates that `bytes` are a whole picture. Takes time in proportion to the bytes: call it on a worker.
  ///
  /// - Throws: `emptyBody`, `notAnImage` or `truncated`.
  public init(validating bytes: Data) throws(FetchError) {
    guard !bytes.isEmpty else { throw .emptyBody }
    // A Result, because the closure of `withUnsafeBytes` does not carry a typed error.
    let (format, size) = try bytes.withUnsafeBytes { bytes in
      Result { () throws(FetchError) in try Self.inspect(bytes) }
    }.get()
    self.init(format: format, size: size, bytes: bytes, name: nil)
  }

  private init(format: ImageFormat, size: PixelSize, bytes: Data, name: String?) {
    self.format = format
    self.width = size.width
    self.height = size.height
    self.bytes = bytes
    self.name = name
  }

  private static func inspect(_ bytes: UnsafeRawBufferPointer) throws(FetchError) -> (ImageFormat, PixelSize) {
    let format = try ImageFormat.recognise(bytes)
    return switch format {
    case .png: (format, try PNGWalk.size(of: bytes))
    case .jpeg: (format, try JPEGWalk.size(of: bytes))
    case .gif: (format, try GIFWalk.size(of: bytes))
    case .webp: (format, try WebPWalk.size(of: bytes))
    }
  }

  /// Whether this is ``placeholder``.
  public var isPlaceholder: Bool { name == Self.placeholder.name }

  /// What is shown while there is no picture: one transparent pixel called `photoalbum`.
  public static let placeholder: Picture = {
    let encoded =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
    guard let bytes = Data(base64Encoded: encoded), let whole = try? Picture(validating: bytes),
      let size = try? PixelSize(whole.width, whole.height)
    else { preconditionFailure("Internal inconsistency: the placeholder is no picture") }
    return Picture(format: whole.format, size: size, bytes: bytes, name: "photoalbum")
  }()
}
