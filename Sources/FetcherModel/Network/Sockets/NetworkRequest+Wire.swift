import Foundation
import HTTPWire

extension NetworkRequest {
  /// Whether sending it twice does no more than sending it once.
  var isIdempotent: Bool { method == "GET" || method == "HEAD" }

  /// The bytes of the request.
  ///
  /// A body that is packed could not be unpacked here, so none is asked for.
  func bytes(for endpoint: Endpoint) -> [UInt8] {
    let path = url.path(percentEncoded: true)
    let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
    var head = HeadWriter("\(method) \(path.isEmpty ? "/" : path)\(query) HTTP/1.1")
    head.field("Host", endpoint.hostField)
    let own = Set(headers.map { $0.name.lowercased() })
    if !own.contains("accept") { head.field("Accept", "*/*") }
    if !own.contains("accept-encoding") { head.field("Accept-Encoding", "identity") }
    // The frame of the request is ours.
    for (name, value) in headers where !["host", "content-length", "transfer-encoding"].contains(name.lowercased()) {
      head.field(name, value)
    }
    if let body { head.field("Content-Length", String(body.count)) }
    head.end()
    return head.bytes + (body ?? Data())
  }

  /// What follows a redirect with this status to another address.
  ///
  /// It is a GET without a body, except after 307 and 308, and keeps its secrets from other servers.
  func redirected(to target: URL, status: Int) -> NetworkRequest {
    var next = self
    next.url = target
    if status != 307, status != 308, method != "HEAD" {
      next.method = "GET"
      next.body = nil
    }
    if Endpoint(target, pool: pool) != Endpoint(url, pool: pool) {
      next.headers.removeAll { ["authorization", "cookie"].contains($0.name.lowercased()) }
    }
    return next
  }
}
