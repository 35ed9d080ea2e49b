import Foundation
import ScenarioFormat

/// Where a `Location` leads, as Foundation on Linux takes it.
struct Redirection: Sendable, Equatable {
  /// The address that is asked for next.
  let url: URL
  /// Whether the address names a host itself. An origin cannot know its own on a real clock, so that such an address never
  /// leads back to it.
  let leavesOrigin: Bool

  /// For a task: as the URL standard says. Nil where there is no way on.
  ///
  /// - Parameters:
  ///   - location: as the server writes it.
  ///   - url: the address of the request.
  init?(_ location: String, from url: URL) {
    guard let target = URL(string: location), let next = URL(string: location, relativeTo: url)?.absoluteURL else {
      return nil
    }
    self.url = next
    leavesOrigin = target.host != nil
  }

  /// For a blocking read, whose session has no delegate to ask: an address without a scheme or a host keeps those of the request,
  /// and its path counts from the root.
  init?(blocking location: String, from url: URL) {
    guard let target = URL(string: location), var next = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      return nil
    }
    if target.scheme != nil, target.host != nil {
      (self.url, leavesOrigin) = (target, true)
      return
    }
    if let host = target.host { (next.host, next.port) = (host, target.port) }
    next.path = target.path.hasPrefix("/") ? target.path : "/" + target.path
    next.percentEncodedQuery = target.query
    next.percentEncodedFragment = target.fragment
    guard let address = next.url else { return nil }
    (self.url, leavesOrigin) = (address, target.host != nil)
  }
}
