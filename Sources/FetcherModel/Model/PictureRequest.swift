import PlainText

/// The identity of a picture for request sharing and caching: its address and its request's header fields.
struct PictureRequest: Sendable {
  let address: String
  let headers: [(name: String, value: String)]

  /// - Parameters:
  ///   - common: the header fields of the environment.
  ///   - own: the header fields of the image, which replace common ones with the same name.
  init(_ address: String, common: [(name: String, value: String)], own: [(name: String, value: String)]) {
    self.address = address
    let names = Set(own.map { $0.name.lowercased() })
    headers = common.filter { !names.contains($0.name.lowercased()) } + own
  }

  /// Returns the key of the picture.
  ///
  /// - Parameter ignoresHeaders: whether requests with different header fields return the same picture.
  func key(ignoresHeaders: Bool) -> PictureKey { PictureKey(address, ignoresHeaders ? [] : headers) }
}

/// The key of a picture. Addresses are compared byte by byte, names of header fields without regard to case.
struct PictureKey: Hashable, Sendable {
  private let address: UTF8String
  private let headers: [UTF8String]

  init(_ address: String, _ headers: [(name: String, value: String)]) {
    self.address = UTF8String(address)
    self.headers = headers.map { UTF8String("\($0.name.lowercased()):\($0.value)") }
  }

  /// Whether the picture has this address, with any header fields.
  func isFor(_ address: String) -> Bool { self.address == UTF8String(address) }
}
