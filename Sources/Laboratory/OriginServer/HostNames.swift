import Bytes
import HTTPWire

/// The names of hosts to which a server answers: those of loopback, and some others.
struct HostNames: Sendable {
  private let others: [String]

  init(others: [String]) { self.others = others }

  /// Whether the `Host` of a request, with or without a port, is one of them.
  func contains(_ host: String) -> Bool {
    guard let name = Self.withoutPort(asciiLowercased(host.utf8)[...]) else { return false }
    return Self.isLoopback(name) || others.contains { name.elementsEqual(asciiLowercased($0.utf8)) }
  }

  /// All of them, for a person.
  var description: String {
    (["localhost", "127.0.0.0/8", "[::1]"] + others).listed(with: "and")
  }

  private static func isLoopback(_ name: ArraySlice<UInt8>) -> Bool {
    if name.elementsEqual("localhost".utf8) || name.elementsEqual("[::1]".utf8) { return true }
    // No resolver leads a name below localhost to another machine (RFC 6761), so that no page of one can have it.
    if name.count > 10, name.suffix(10).elementsEqual(".localhost".utf8) { return true }
    let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0].elementsEqual("127".utf8)
      && parts.allSatisfy { $0.allSatisfy(isDigit) && UInt8(String(decoding: $0, as: UTF8.self)) != nil }
  }

  /// Nil where what follows the name is no port.
  private static func withoutPort(_ host: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    // The colons of an address in brackets come before its port.
    let from = host.first == UInt8(ascii: "[") ? host.firstIndex(of: UInt8(ascii: "]")) : host.startIndex
    guard let from, let colon = host[from...].firstIndex(of: UInt8(ascii: ":")) else { return host }
    return host[colon...].dropFirst().allSatisfy(isDigit) ? host[..<colon] : nil
  }
}
