/// What a server makes of the target of a request, without a connection.
package enum OriginTarget: Sendable {
  /// It asks for this path.
  case path(OriginPath)
  /// It is no proper request, or too long, and gets this response.
  case refused(OriginResponse)

  /// Reads a target.
  ///
  /// - Parameter target: path and query, as a client sends them in a GET request.
  package init(_ target: String) {
    let request = Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    self = request.withUnsafeBytes { bytes in
      switch RequestParser.parse(bytes[...]) {
      case .head(let head, _): .path(head.path)
      case .refused(let status): .refused(.plain(status))
      // A head that ends with an empty line is complete, whatever is in it.
      case .incomplete: .refused(.plain(400))
      }
    }
  }
}
