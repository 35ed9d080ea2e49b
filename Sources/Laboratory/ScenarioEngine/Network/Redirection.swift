import EventBus
import Foundation
import OriginServer
import ScenarioFormat

/// The target of a `Location`, as Foundation on Linux resolves it.
struct Redirection: Sendable, Equatable {
  /// The next URL.
  let url: URL
  /// Whether the `Location` names a host. In a real-clock run, a scenario cannot name its origin's host, so such a
  /// `Location` never leads back to the origin.
  let leavesOrigin: Bool

  /// Resolves the redirect for a task, as the URL standard specifies. Returns nil if the redirect cannot be followed.
  ///
  /// - Parameters:
  ///   - location: the value that the server sent.
  ///   - url: the URL of the request.
  init?(_ location: String, from url: URL) {
    guard let target = URL(string: location), let next = URL(string: location, relativeTo: url)?.absoluteURL else {
      return nil
    }
    self.url = next
    leavesOrigin = target.host != nil
  }

  /// Resolves the redirect for a blocking read, whose session has no delegate. A `Location` without a scheme or host
  /// uses those of the request, and its path is relative to the root.
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

/// The path and query of a request, exactly as sent.
struct RequestTarget: Sendable {
  let text: String
  /// The target, as the origin interprets it.
  let reading: OriginTarget

  /// Creates the target of a request for a URL. Unescaped dot segments are resolved before the request is sent,
  /// but escaped dot segments are not.
  init(of url: URL) {
    let url = url.standardized
    let path = url.path(percentEncoded: true)
    text = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
    reading = OriginTarget(text)
  }
}

/// A cache of request targets, which parses each URL only once for all runs of a scenario. Otherwise,
/// parsing would take nearly a tenth of a search's time.
final class KnownTargets: Sendable {
  /// The maximum number of stored targets. Redirects can lead to an unlimited number of URLs.
  private static let most = 1000
  private let bases: [String]
  private let known = Locked<[String: RequestTarget?]>([:])

  /// - Parameter bases: the base URLs of the origin, each with scheme, host and port.
  init(of bases: [String]) { self.bases = bases }

  /// Returns the target of a URL, or nil if the URL belongs to another server.
  func target(of url: URL) -> RequestTarget? {
    let address = url.absoluteString
    if let target = known.withLock({ $0[address] }) { return target }
    let target = bases.contains(where: address.hasPrefix) ? RequestTarget(of: url) : nil
    known.withLock { if $0.count < Self.most { $0[address] = .some(target) } }
    return target
  }
}
