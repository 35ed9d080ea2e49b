import Foundation

/// What a service asks of its server.
enum ServiceQuestion: Sendable {
  /// Fetched with the strategy that is selected when the exchange starts. The secret, if any, stands in the address.
  case get(String, secret: String? = nil)
  /// Sent with a data task, whatever the strategy: the other ways to fetch cannot send a body.
  case post(String, body: Data, headers: [(name: String, value: String)])

  var address: String {
    switch self {
    case .get(let address, _), .post(let address, _, _): address
    }
  }

  var secret: String? { if case .get(_, let secret) = self { secret } else { nil } }

  /// How long the answer may take. Of an upload always a time: a server that drops it may leave curl waiting for ever.
  ///
  /// - Parameter limit: the deadline of a request for its address.
  func deadline(_ limit: Duration?) -> Duration? {
    if case .post = self { limit ?? FetchLimits.longestUpload } else { limit }
  }
}
