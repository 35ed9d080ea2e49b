import Foundation
import OriginServer
import ScenarioFormat

/// What a request asks a server for: path and query, as they are sent.
struct RequestTarget: Sendable, Equatable {
  let text: String

  /// The target of a request for an address. Dots that go up are resolved before it is sent; escaped ones are not.
  init(of url: URL) {
    let url = url.standardized
    let path = url.path(percentEncoded: true)
    text = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
  }

  /// The path that the origin sees; nil for a target that it refuses.
  var path: ScenarioPath? {
    if case .path(let path) = OriginTarget(text) { ScenarioPath(path.text) } else { nil }
  }
}
