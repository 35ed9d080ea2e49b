import Foundation
import OriginServer

/// What a request asks a server for: path and query, as they are sent.
struct RequestTarget: Sendable {
  let text: String
  /// What the origin makes of it.
  let reading: OriginTarget

  /// The target of a request for an address. Dots that go up are resolved before it is sent; escaped ones are not.
  init(of url: URL) {
    let url = url.standardized
    let path = url.path(percentEncoded: true)
    text = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
    reading = OriginTarget(text)
  }
}
