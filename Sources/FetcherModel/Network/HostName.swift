import Foundation

/// The name of a host to which an environment sends header fields of its own, such as `images.example.com`.
///
/// A string literal creates a name. A text that a user supplies can be something else, such as an address, so its
/// initializer returns an optional:
///
/// ```swift
/// if let host = HostName(text) { environment.updateHeaders(for: host) { $0["Authorization"] = "Bearer \(token)" } }
/// ```
public struct HostName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name in lowercase. Names that differ only in case are equal, and a subdomain is another host.
  public let description: String

  /// Creates the name of a host, or returns nil for any other text, such as an address or a host with a port.
  ///
  /// - Parameter text: the whole name as it stands in an address, or an IPv6 address without brackets.
  public init?(_ text: String) {
    let isIPv6 = text.count { $0 == ":" } > 1
    guard !text.isEmpty, URL(string: "https://\(isIPv6 ? "[\(text)]" : text)/")?.host == text else { return nil }
    self.init(ofAddress: text)
  }

  /// Creates the name that the source code contains. A literal that is not the name of a host is a mistake in the code,
  /// and terminates the process with a message.
  public init(stringLiteral text: String) {
    guard let name = HostName(text) else {
      fatalError("The name of a host has no scheme, port or path, as in images.example.com; found “\(text)”.")
    }
    self = name
  }

  /// Creates the name that `URL` finds in an address.
  init(ofAddress host: String) { description = host.lowercased() }
}
