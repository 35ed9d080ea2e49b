public import Foundation

/// Why ``APIService`` has no value.
public enum APIError: Error, Equatable, Sendable {
  /// The address is no URL, or has no scheme or host.
  case invalidURL
  /// The server answered with a status outside 200...299.
  case invalidResponseStatus(Int)
  /// The network failed, the transport policy forbade it, time ran out, or the call was cancelled.
  case dataTaskError(FetchError)
  /// The answer has no bytes, fewer than it promised, or is no JSON at all.
  case corruptData
  /// The answer is JSON, and not what was asked for; `path` says where, for example `[3].email`.
  case decodingError(path: String, reason: String)

  /// The network is looked at first: where it failed there is no status.
  init(_ error: FetchError) {
    self =
      switch error {
      case .invalidURL: .invalidURL
      case .badStatus(let status): .invalidResponseStatus(status)
      case .emptyBody, .truncated: .corruptData
      default: .dataTaskError(error)
      }
  }
}

extension APIError: LocalizedError, CustomStringConvertible {
  /// The same as ``description``: what `localizedDescription` returns.
  public var errorDescription: String? { description }

  /// What went wrong and what to do about it: one line of plain English.
  public var description: String {
    switch self {
    case .invalidURL: "the address is not a URL; write it in full, as in https://example.org/users"
    case .invalidResponseStatus(let status):
      "the server answered with status \(status); \(FetchError.advice(on: status))"
    case .dataTaskError(let error): error.message(of: "the request")
    case .corruptData: "the answer is incomplete or no JSON; try again, and see what the address leads to"
    case .decodingError(let path, let reason):
      "the answer does not fit the model: \(path.isEmpty ? "it" : path) \(reason); compare the two"
    }
  }
}
