import Foundation

/// Holds a response. Called on any thread when a request is complete.
///
/// - Parameters:
///   - latency: the latency of the response.
///   - release: a closure that sends the response.
/// - Returns: a closure that is called when the connection closes.
package typealias ResponseHold =
  @Sendable (_ path: OriginPath, _ latency: Duration, _ release: @escaping @Sendable () -> Void) ->
  @Sendable () -> Void

/// The method of a request.
package enum RequestMethod: Sendable { case get, head, post, other }

/// A complete request, as a handler receives it.
package struct ReceivedRequest: Sendable {
  package let method: RequestMethod
  /// The percent-decoded path without the query.
  package let path: OriginPath
  /// The path and query as sent.
  package let target: String
  package let fields: [(name: String, value: String)]
  package let body: [UInt8]

  init(_ head: RequestHead, _ body: [UInt8]) {
    (method, path, target, fields) = (head.method, head.path, head.target, head.fields)
    self.body = body
  }

  /// Returns the value of the only header field with this lowercase name. Returns nil if the request has no such field,
  /// or several.
  package subscript(field name: String) -> String? {
    let values = fields.filter { $0.name.lowercased() == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// Returns the value of a parameter in the query, as sent, or nil.
  package func parameter(_ name: String) -> String? {
    guard let query = target.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
    let pairs = query.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    return pairs.first { $0.count == 2 && $0[0] == name }?[1]
  }
}

/// The result of a handler.
package enum HandledRequest: Sendable {
  case response(OriginResponse)
  /// A response whose body is a stream. The body ends when the connection closes.
  case stream(OriginResponse, any ResponseStream)
}

/// Responds to a request. The server calls it on the queue of the connection, so it must return within a millisecond.
package typealias RequestHandler = @Sendable (ReceivedRequest) -> HandledRequest

/// A response body that grows while the server sends it. The server takes bytes only when it has sent the previous ones,
/// so a slow client never makes the server keep bytes for it.
package protocol ResponseStream: Sendable {
  /// Called once, before the first ``next()``. Call the action, on any thread, when there are bytes after ``next()``
  /// has returned an empty array.
  func open(_ whenReady: @escaping @Sendable () -> Void)
  /// Returns the next bytes, an empty array if there are none yet, or nil at the end.
  func next() -> [UInt8]?
  /// Called once, when the connection is closed.
  func close()
}
