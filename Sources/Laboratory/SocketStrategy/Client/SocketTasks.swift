package import FetcherModel

/// A network that supports exchanges over sockets, without URLSession.
package protocol SocketTasks: Sendable {
  /// Starts an exchange under the same rules as a data task. An https request fails with code -1002. After an encoded
  /// body, which is passed on undecoded, the exchange fails with code -1016.
  func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation
}

extension DataTasks {
  /// The network for exchanges over sockets: this network if it supports them, or else the real one.
  package var sockets: any SocketTasks { self as? any SocketTasks ?? SocketLoader.shared }
}
