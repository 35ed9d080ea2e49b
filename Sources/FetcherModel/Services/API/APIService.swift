public import EventBus
public import Foundation

/// Fetches JSON from one address and decodes it into the type that the caller names.
///
/// Create one where you need it; it stores only the address. Any thread. It uses the strategy, policy, size limit and
/// deadline of the
/// environment. ``FetchLimits/maximumInFlight`` and ``FetchLimits/retries`` apply only to images.
public struct APIService: Sendable {
  /// The address. It need not be a URL: a fetch then fails with `invalidURL`.
  public let urlString: String
  private let environment: FetchEnvironment

  /// Makes a service for one address. Fetches nothing.
  public init(_ urlString: String, in environment: FetchEnvironment) {
    self.urlString = urlString
    self.environment = environment
  }

  /// Fetches and decodes, and calls `completion` once, on main.
  ///
  /// - Parameters:
  ///   - type: the type to decode, often inferred from `completion`.
  ///   - dateDecodingStrategy: the format of dates.
  ///   - keyDecodingStrategy: the format of keys.
  ///   - completion: called once, on main, never inside this call.
  /// - Returns: a handle. Cancelling it completes with `dataTaskError(.cancelled)`; releasing it has no effect.
  @discardableResult public func getJSON<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self,
    dateDecodingStrategy: JSONDecoder.DateDecodingStrategy = .deferredToDate,
    keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys,
    completion: @escaping @Sendable (Result<Value, APIError>) -> Void
  ) -> any Cancellation {
    let exchange = exchange(type, dateDecodingStrategy, keyDecodingStrategy)
    exchange.start(.get(urlString), completion)
    return exchange
  }

  /// Fetches and decodes. Cancelling the calling task throws `dataTaskError(.cancelled)`.
  ///
  /// - Parameters:
  ///   - type: the type to decode, often inferred from the context.
  ///   - dateDecodingStrategy: the format of dates.
  ///   - keyDecodingStrategy: the format of keys.
  public func getJSON<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self,
    dateDecodingStrategy: JSONDecoder.DateDecodingStrategy = .deferredToDate,
    keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
  ) async throws(APIError) -> Value {
    try await exchange(type, dateDecodingStrategy, keyDecodingStrategy).answer(to: .get(urlString))
  }

  /// Makes a resource for the address: a state, and the key of its events. Each call makes a new one. Fetches nothing.
  ///
  /// - Parameters:
  ///   - type: the type to decode, often inferred from the context.
  ///   - dateDecodingStrategy: the format of dates.
  ///   - keyDecodingStrategy: the format of keys.
  public func resource<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self,
    dateDecodingStrategy: JSONDecoder.DateDecodingStrategy = .deferredToDate,
    keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
  ) -> ServiceResource<Value, APIError> {
    // A query may contain a secret.
    ServiceResource(
      URL(string: urlString)?.path ?? "", .get(urlString), in: environment,
      read: read(type, dateDecodingStrategy, keyDecodingStrategy))
  }

  private func exchange<Value: Decodable & Sendable>(
    _ type: Value.Type, _ dates: JSONDecoder.DateDecodingStrategy, _ keys: JSONDecoder.KeyDecodingStrategy
  ) -> ServiceExchange<Value, APIError> {
    ServiceExchange(in: environment, read: read(type, dates, keys))
  }

  private func read<Value: Decodable & Sendable>(
    _ type: Value.Type, _ dates: JSONDecoder.DateDecodingStrategy, _ keys: JSONDecoder.KeyDecodingStrategy
  ) -> ServiceExchange<Value, APIError>.Read {
    { answer in
      answer.mapError(APIError.init).flatMap { body in
        guard !body.bytes.isEmpty else { return .failure(.corruptData) }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = dates
        decoder.keyDecodingStrategy = keys
        do {
          return .success(try decoder.decode(type, from: body.bytes))
        } catch {
          let problem = DecodingProblem(error)
          guard !problem.isSyntax else { return .failure(.corruptData) }
          return .failure(.decodingError(path: problem.path, reason: problem.reason))
        }
      }
    }
  }
}

/// The reason why ``APIService`` has no value.
public enum APIError: Error, Equatable, Sendable {
  /// The address is not a URL, or has no scheme or host.
  case invalidURL
  /// The server answered with a status outside 200...299.
  case invalidResponseStatus(Int)
  /// The network failed, the transport policy rejected the address, the deadline passed, or the call was cancelled.
  case dataTaskError(FetchError)
  /// The response is empty, truncated, or not JSON.
  case corruptData
  /// The response is JSON of another shape. `path` names the position, for example `[3].email`.
  case decodingError(path: String, reason: String)

  /// Check the network first: after a network failure there is no status.
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
  /// The same as ``description``. `localizedDescription` returns it.
  public var errorDescription: String? { description }

  /// The problem and its remedy, on one line.
  public var description: String {
    switch self {
    case .invalidURL: "the address is not a URL; write it in full, as in https://example.org/users"
    case .invalidResponseStatus(let status):
      "the server responded with status \(status); \(FetchError.advice(on: status))"
    case .dataTaskError(let error): error.message(of: "the request")
    case .corruptData: "the response is incomplete or not JSON; try again, and check the address"
    case .decodingError(let path, let reason):
      "the response does not match the model: \(path.isEmpty ? "it" : path) \(reason); compare the two"
    }
  }
}
