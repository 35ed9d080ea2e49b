import PlainText

/// What images must have in common to share a request: the picture, and the limits of the fetch.
struct PictureRequest: Hashable, Sendable {
  let picture: PictureKey
  let limits: FetchLimits
}

/// The identity of a picture: its address, compared byte by byte, and the header fields of its request.
struct PictureKey: Hashable, Sendable {
  let address: UTF8String
  let headers: HTTPHeaders

  init(_ address: String, _ headers: HTTPHeaders) {
    self.address = UTF8String(address)
    self.headers = headers
  }
}
