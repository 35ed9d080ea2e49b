package import Foundation
import PlainText

extension NetworkRequest {
  /// Returns the address in a redirect's `Location` header field, which may be relative. Returns nil if the field does
  /// not contain an address.
  package func target(of location: String) -> URL? { URL(string: location, relativeTo: url)?.absoluteURL }

  /// Returns the request to send after a redirect with this status to another address.
  ///
  /// As in browsers, 301 and 302 turn a POST into a GET, and 303 turns every method except HEAD into a GET. That GET
  /// has no body, and none of the header fields that describe a body. A request to a different server (scheme, host or
  /// port) contains no credentials, and of the header fields only those that describe the wanted response, or its own
  /// body.
  package func redirected(to target: URL, status: Int) -> NetworkRequest {
    var next = self
    next.url = target
    let becomesGet = status == 303 ? method != "HEAD" : [301, 302].contains(status) && method == "POST"
    if becomesGet {
      next.method = "GET"
      next.body = nil
      next.headers.removeAll { Self.describesBody($0.name) }
    }
    if !target.isOnServer(of: url) {
      next.headers.removeAll { [body = next.body] field in
        !Self.open.contains(field.name.lowercased()) && (body == nil || !Self.describesBody(field.name))
      }
      next.url = target.withoutUser
    }
    return next
  }

  private static func describesBody(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasPrefix("content-") || framing.contains(name)
  }

  /// The header fields, besides `Content-…`, that are valid only together with a body.
  private static let framing: Set = ["expect", "trailer", "transfer-encoding"]

  /// The header fields that are sent to every server, as ``FetchRequest/headers`` states. Any other field can contain a
  /// secret.
  private static let open: Set = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "range", "user-agent",
  ]
}

extension URL {
  /// Whether the scheme, the host and the port are the same as those of another address.
  fileprivate func isOnServer(of other: URL) -> Bool {
    // Swift compares canonically equivalent strings as equal, but a resolver compares bytes.
    guard let host = host?.lowercased(), let otherHost = other.host?.lowercased() else { return false }
    return UTF8String(host) == UTF8String(otherHost) && portOfServer == other.portOfServer
      && scheme?.lowercased() == other.scheme?.lowercased()
  }

  /// The address without a user name and password, which URLSession would send as `Authorization`.
  fileprivate var withoutUser: URL {
    guard user != nil || password != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
      return self
    }
    (parts.user, parts.password) = (nil, nil)
    return parts.url ?? self
  }

  private var portOfServer: Int { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}
