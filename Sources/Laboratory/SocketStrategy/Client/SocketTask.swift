import EventBus
import FetcherModel
import Foundation
import HTTPWire
import Synchronization

/// An exchange over sockets, including its redirects.
///
/// `Sendable` is unchecked, because the state is confined to the loader's queue. Any thread can cancel the task.
final class SocketTask: Cancellation, @unchecked Sendable {
  /// The current request, which changes with each redirect.
  private(set) var request: NetworkRequest
  /// The connection that handles the request. When the connection has finished the task, it clears this property.
  var connection: SocketConnection?
  private let delegate: any NetworkTaskDelegate
  private let loader: SocketLoader
  private let cancelled = Atomic(false)
  private var next: NetworkRequest?
  private var permit: ConnectionPool.Permit?
  private var isOver = false
  /// Whether the body is encoded. Its bytes are passed on, because some servers name an encoding that does
  /// not change the bytes.
  private var isEncoded = false
  private var hasEncodedBytes = false

  init(_ request: NetworkRequest, _ delegate: any NetworkTaskDelegate, _ loader: SocketLoader) {
    self.request = request
    self.delegate = delegate
    self.loader = loader
  }

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() {
    guard !cancelled.exchange(true, ordering: .relaxed) else { return }
    loader.queue.async { [self] in end(.cancelled) }
  }

  /// Waits for a connection, and then sends the request.
  func start() {
    guard !isOver else { return }
    guard let endpoint = Endpoint(request.url, pool: request.pool) else { return end(.unsupportedScheme) }
    let permit = loader.permit(at: endpoint)
    self.permit = permit
    permit.acquire { [self] in
      let connection = loader.connection(to: endpoint)
      self.connection = connection
      connection.isIdle ? connection.perform(self) : connection.open(for: self)
    }
  }

  /// Sends the request again on a new connection.
  func repeatRequest() {
    guard let endpoint = permit?.endpoint else { return }
    let connection = loader.newConnection(to: endpoint)
    self.connection = connection
    connection.open(for: self)
  }

  /// Processes the head of a response. Returns false if the response is a redirect to follow when the response ends.
  func received(_ head: ResponseHead) -> Bool {
    if let target = redirect(head), delegate.shouldFollow(target, status: head.status) {
      next = request.redirected(to: target, status: head.status)
      return false
    }
    var response = NetworkResponse(
      url: request.url, status: head.status, expectedLength: head.contentLength,
      contentType: head.value(of: "content-type"),
      headers: HTTPHeaders(
        head.fields.map { (name: $0.name, value: $0.value) }.sorted { $0.name < $1.name }))
    isEncoded = response.encoding != nil
    if isEncoded { response.expectedLength = nil }
    delegate.received(response)
    return true
  }

  func received(_ bytes: Data) {
    hasEncodedBytes = isEncoded
    delegate.received(bytes)
  }

  /// Follows the redirect by sending the next request.
  func follow() {
    guard !isOver, let next else { return }
    request = next
    self.next = nil
    leave()
    start()
  }

  /// Ends the exchange. Later calls have no effect.
  func end(_ error: NetworkError?) {
    guard !isOver else { return }
    isOver = true
    connection?.abandon()
    leave()
    let isUndecoded = hasEncodedBytes && (error == nil || error == .cutShort)
    delegate.finished(isUndecoded ? .packed : error)
  }

  private func leave() { permit.take().map(loader.leave) }

  private func redirect(_ head: ResponseHead) -> URL? {
    // 305 and 306 are obsolete, but Foundation follows them as well.
    guard [301, 302, 303, 305, 306, 307, 308].contains(head.status) else { return nil }
    return head.value(of: "location").flatMap(request.target(of:))
  }
}

extension NetworkRequest {
  /// Whether sending the request twice has the same effect as sending it once.
  var isIdempotent: Bool { method == "GET" || method == "HEAD" }

  /// Returns the bytes to send for the request.
  ///
  /// The request does not accept compression, because the client cannot decompress a body.
  func bytes(for endpoint: Endpoint) -> [UInt8] {
    let path = url.path(percentEncoded: true).withoutDotSegments
    let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
    var head = HeadWriter("\(method) \(path)\(query) HTTP/1.1")
    head.field("Host", endpoint.hostField)
    if headers["Accept"] == nil { head.field("Accept", "*/*") }
    if headers["Accept-Encoding"] == nil { head.field("Accept-Encoding", "identity") }
    // The client sets the fields that frame the request.
    for (name, value) in headers where !["host", "content-length", "transfer-encoding"].contains(name.lowercased()) {
      head.field(name, value)
    }
    if let body { head.field("Content-Length", String(body.count)) }
    head.end()
    return head.bytes + (body ?? Data())
  }
}

extension String {
  /// The path as it is requested (https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4). It begins with a slash.
  fileprivate var withoutDotSegments: String {
    let segments = split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var kept: [Substring] = []
    for segment in segments {
      switch segment {
      case ".": break
      case "..": _ = kept.popLast()
      default: kept.append(segment)
      }
    }
    // The slash in front of a final dot segment remains.
    if let last = segments.last, [".", ".."].contains(last) { kept.append("") }
    return "/" + kept.joined(separator: "/")
  }
}
