import Foundation

/// What a service asks of its server.
enum ServiceQuestion: Sendable {
  /// Fetched with the strategy that is selected when the exchange starts.
  case get(String)
  /// Sent with a data task, whatever the strategy: the other ways to fetch cannot send a body.
  case post(String, body: Data, headers: [(name: String, value: String)])

  var address: String {
    switch self {
    case .get(let address), .post(let address, _, _): address
    }
  }
}
