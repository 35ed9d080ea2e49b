import Bytes
import Foundation

/// Where connections of one kind lead. Requests of one endpoint share them.
struct Endpoint: Hashable, Sendable {
  /// The name of the host, or its number, without brackets.
  let host: UTF8String
  let port: UInt16
  /// Who asks.
  let pool: String

  /// Nil where the address is none of plain http.
  init?(_ url: URL, pool: String) {
    guard url.scheme?.lowercased() == "http", let host = url.host, !host.isEmpty,
      let port = UInt16(exactly: url.port ?? Self.standardPort)
    else { return nil }
    // Foundation gives the brackets of an IPv6 number on some systems.
    let name = host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : host
    self.host = UTF8String(name.lowercased())
    self.port = port
    self.pool = pool
  }

  /// What a request calls the server.
  var hostField: String {
    let name = host.text.utf8.contains(UInt8(ascii: ":")) ? "[\(host.text)]" : host.text
    return port == Self.standardPort ? name : "\(name):\(port)"
  }

  private static let standardPort = 80
}
