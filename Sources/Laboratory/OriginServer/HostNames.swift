import HTTPWire
import PlainText

/// The host names that a server accepts: the loopback names and additional ones.
struct HostNames: Sendable {
  private let others: [String]

  init(others: [String]) { self.others = others }

  /// Returns whether a request's `Host`, with or without a port, is accepted.
  func contains(_ host: String) -> Bool {
    guard let name = Self.withoutPort(asciiLowercased(host.utf8)[...]) else { return false }
    return Self.isLoopback(name) || others.contains { name.elementsEqual(asciiLowercased($0.utf8)) }
  }

  /// A human-readable list of all accepted names.
  var description: String {
    (["localhost", "127.0.0.0/8", "[::1]"] + others).listed(with: "and")
  }

  private static func isLoopback(_ name: ArraySlice<UInt8>) -> Bool {
    if name.elementsEqual("localhost".utf8) || name.elementsEqual("[::1]".utf8) { return true }
    // No resolver maps a name under `localhost` to another machine (RFC 6761), so no web page can have such a host
    // name.
    if name.count > 10, name.suffix(10).elementsEqual(".localhost".utf8) { return true }
    let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0].elementsEqual("127".utf8)
      && parts.allSatisfy { $0.allSatisfy(isDigit) && UInt8(String(decoding: $0, as: UTF8.self)) != nil }
  }

  /// Returns the host without its port. Returns nil if the name is followed by anything other than a port.
  private static func withoutPort(_ host: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    // The colons in a bracketed address come before the port.
    let from = host.first == UInt8(ascii: "[") ? host.firstIndex(of: UInt8(ascii: "]")) : host.startIndex
    guard let from, let colon = host[from...].firstIndex(of: UInt8(ascii: ":")) else { return host }
    return host[colon...].dropFirst().allSatisfy(isDigit) ? host[..<colon] : nil
  }
}
