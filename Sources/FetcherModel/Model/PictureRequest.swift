import PlainText

/// The identity of a picture for request sharing and caching: its address and its request's header fields.
struct PictureRequest: Sendable {
  let address: String
  let headers: HTTPHeaders

  /// - Parameters:
  ///   - common: the header fields of the environment.
  ///   - own: the header fields of the image, which replace common ones with the same name.
  init(_ address: String, common: HTTPHeaders, own: HTTPHeaders) {
    self.address = address
    headers = common.overridden(by: own)
  }

  /// Returns the key of the picture.
  ///
  /// - Parameter ignoresHeaders: whether requests with different header fields return the same picture.
  func key(ignoresHeaders: Bool) -> PictureKey { PictureKey(address, ignoresHeaders ? [:] : headers) }
}

/// The key of a picture. Addresses are compared byte by byte.
struct PictureKey: Hashable, Sendable {
  private let address: UTF8String
  private let headers: HTTPHeaders

  init(_ address: String, _ headers: HTTPHeaders) {
    self.address = UTF8String(address)
    self.headers = headers
  }

  /// Whether the picture has this address, with any header fields.
  func isFor(_ address: String) -> Bool { self.address == UTF8String(address) }
}
