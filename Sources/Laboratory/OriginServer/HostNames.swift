import Bytes
import HTTPWire

/// The host names that a server accepts: those of loopback, and additional ones.
struct HostNames: Sendable {
  private let others: [String]

  init(others: [String]) { self.others = others }

  /// Whether the `Host` of a request, with or without a port, is accepted.
  func contains(_ host: String) -> Bool {
    guard let name = Self.withoutPort(asciiLowercased(host.utf8)[...]) else { return false }
    return Self.isLoopback(name) || others.contains { name.elementsEqual(asciiLowercased($0.utf8)) }
  }

  /// All accepted names, for people.
  var description: String {
    (["localhost", "127.0.0.0/8", "[::1]"] + others).listed(with: "and")
  }

  private static func isLoopback(_ name: ArraySlice<UInt8>) -> Bool {
    if name.elementsEqual("localhost".utf8) || name.elementsEqual("[::1]".utf8) { return true }
    // No resolver maps a name below localhost to another machine (RFC 6761), so no web page can have one.
    if name.count > 10, name.suffix(10).elementsEqual(".localhost".utf8) { return true }
    let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0].elementsEqual("127".utf8)
      && parts.allSatisfy { $0.allSatisfy(isDigit) && UInt8(String(decoding: $0, as: UTF8.self)) != nil }
  }

  /// Returns nil if a text other than a port follows the name.
  private static func withoutPort(_ host: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    // The colons of a bracketed address precede its port.
    let from = host.first == UInt8(ascii: "[") ? host.firstIndex(of: UInt8(ascii: "]")) : host.startIndex
    guard let from, let colon = host[from...].firstIndex(of: UInt8(ascii: ":")) else { return host }
    return host[colon...].dropFirst().allSatisfy(isDigit) ? host[..<colon] : nil
  }
}
