public import Foundation

/// Which addresses may be fetched, in the manner of App Transport Security.
///
/// https anywhere; plain http only to this machine, unless arbitrary loads are allowed; no other scheme, ever. This machine is
/// `localhost`, `127.0.0.0/8` and `::1`, which no proxy of the environment gets to see (``SystemLoader``). A name below
/// `localhost` counts as another one, as not every resolver keeps it here. Redirects are validated by the same rule where the
/// strategy sees them; ``mustHoldAfterRedirects`` refuses one that does not.
public struct TransportPolicy: Sendable, Equatable {
  /// Whether plain http may leave this machine.
  public var allowsArbitraryLoads: Bool
  /// Whether the policy must hold for redirects under every strategy. A strategy that cannot see redirects is then
  /// refused with `redirectsUnseen`; otherwise its redirects are not validated.
  public var mustHoldAfterRedirects: Bool

  /// A policy; by default the strictest one that every strategy can keep.
  public init(allowsArbitraryLoads: Bool = false, mustHoldAfterRedirects: Bool = false) {
    self.allowsArbitraryLoads = allowsArbitraryLoads
    self.mustHoldAfterRedirects = mustHoldAfterRedirects
  }

  /// The URL that `address` spells, if it may be fetched.
  ///
  /// - Throws: `invalidURL` or `blockedByTransportPolicy`.
  public func url(_ address: String) throws(FetchError) -> URL {
    guard let url = URL(string: address), url.scheme != nil else { throw .invalidURL }
    try validate(url)
    return url
  }

  /// Throws `blockedByTransportPolicy` unless `url` may be fetched, `invalidURL` when it names no host.
  public func validate(_ url: URL) throws(FetchError) {
    let scheme = url.scheme?.lowercased()
    guard scheme == "http" || scheme == "https" else { throw .blockedByTransportPolicy }
    guard let host = url.host, !host.isEmpty else { throw .invalidURL }
    guard scheme == "https" || allowsArbitraryLoads || Self.isLoopback(host) else { throw .blockedByTransportPolicy }
  }

  /// Throws `redirectsUnseen` when the strategy of that name cannot keep this policy to the end of a redirect.
  public func validate(_ capabilities: StrategyCapabilities, of strategy: StrategyName) throws(FetchError) {
    guard capabilities.seesRedirects || !mustHoldAfterRedirects else { throw .redirectsUnseen(strategy: strategy) }
  }

  private static func isLoopback(_ host: String) -> Bool {
    if ["localhost", "::1", "[::1]"].contains(host.lowercased()) { return true }
    // 127.evil.org is a name, not an address: all four parts must be numbers.
    let parts = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isNumber = { (part: Substring.UTF8View) in
      part.allSatisfy("0123456789".utf8.contains) && UInt8(Substring(part)) != nil
    }
    return parts.count == 4 && parts.allSatisfy(isNumber) && parts[0].elementsEqual("127".utf8)
  }
}
