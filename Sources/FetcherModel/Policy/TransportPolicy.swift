public import Foundation

/// The policy for the addresses that may be fetched, in the style of App Transport Security.
///
/// https is allowed everywhere. Unless arbitrary loads are allowed, plain http is allowed only to this machine. Other
/// schemes are never allowed. This machine is `localhost`, `127.0.0.0/8` and `::1`. A subdomain of `localhost` counts
/// as another machine, because some resolvers do not resolve such a name to this machine. The same rules apply to
/// redirects if the strategy reports them. ``mustHoldAfterRedirects`` rejects strategies that do not report redirects.
///
/// Requests to this machine bypass the environment's proxy, or fail. The exception is `blocking`: Foundation
/// follows its redirects, and a redirect to this machine can go through the proxy.
public struct TransportPolicy: Sendable, Equatable {
  /// Whether plain http requests to other machines are allowed.
  public var allowsArbitraryLoads: Bool
  /// Whether every strategy must enforce the policy for redirects. If true, a strategy that does not report redirects
  /// fails with `redirectsUnseen`. Otherwise, the redirects of such a strategy are not validated.
  public var mustHoldAfterRedirects: Bool

  /// Creates a policy. The default is the strictest policy that all strategies can enforce.
  public init(allowsArbitraryLoads: Bool = false, mustHoldAfterRedirects: Bool = false) {
    self.allowsArbitraryLoads = allowsArbitraryLoads
    self.mustHoldAfterRedirects = mustHoldAfterRedirects
  }

  /// Returns the URL for `address` if it may be fetched.
  ///
  /// - Throws: `invalidURL`, `invalidPort`, `unsupportedScheme` or `blockedByTransportPolicy`.
  package func url(_ address: String) throws(FetchError) -> URL {
    guard let url = URL(string: address), url.scheme != nil else { throw .invalidURL }
    try validate(url)
    return url
  }

  /// Throws `unsupportedScheme` if `url` has another scheme than http and https, `blockedByTransportPolicy` if it must
  /// not be fetched, `invalidURL` if it has no host or a host with control characters, or `invalidPort`.
  public func validate(_ url: URL) throws(FetchError) {
    let scheme = url.scheme?.lowercased()
    guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(strategy: nil) }
    guard let host = url.host, !host.isEmpty, !host.unicodeScalars.contains(where: \.isControl) else {
      throw .invalidURL
    }
    guard url.hasPossiblePort else { throw .invalidPort }
    guard scheme == "https" || allowsArbitraryLoads || Self.isLoopback(host) else { throw .blockedByTransportPolicy }
  }

  /// Throws `redirectsUnseen` if the strategy with that name cannot enforce this policy for redirects.
  package func validate(_ capabilities: StrategyCapabilities, of strategy: StrategyName) throws(FetchError) {
    guard capabilities.seesRedirects || !mustHoldAfterRedirects else { throw .redirectsUnseen(strategy: strategy) }
  }

  /// Throws the error with which a request fails if the strategy with that name cannot send it under this policy.
  package func validate(
    _ url: URL, hasHeaders: Bool, _ capabilities: StrategyCapabilities, of strategy: StrategyName
  ) throws(FetchError) {
    try validate(capabilities, of: strategy)
    guard capabilities.loadsHTTPS || url.scheme?.lowercased() != "https" else {
      throw .unsupportedScheme(strategy: strategy)
    }
    guard capabilities.sendsHeaders || !hasHeaders else { throw .headersUnsent(strategy: strategy) }
  }

  static func isLoopback(_ host: String) -> Bool {
    if ["localhost", "::1", "[::1]"].contains(host.lowercased()) { return true }
    // 127.evil.org is a name, not an address, so all four parts must be numbers.
    let parts = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isNumber = { (part: Substring.UTF8View) in
      part.allSatisfy("0123456789".utf8.contains) && UInt8(Substring(part)) != nil
    }
    return parts.count == 4 && parts.allSatisfy(isNumber) && parts[0].elementsEqual("127".utf8)
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }
}

extension URL {
  /// Whether the address has no port, or one that is at most 65535. For a greater one, `port` can be nil.
  package var hasPossiblePort: Bool {
    guard let start = absoluteString.firstRange(of: "//")?.upperBound else { return true }
    let authority = absoluteString[start...].prefix { !"/?#".contains($0) }
    // The colons of an IPv6 address are within brackets.
    guard let host = authority.split(separator: "@").last, let colon = host.lastIndex(of: ":"),
      !host[colon...].contains("]")
    else { return true }
    let port = host[colon...].dropFirst()
    return port.isEmpty || UInt16(port) != nil
  }
}
