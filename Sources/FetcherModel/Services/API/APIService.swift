public import EventBus
public import Foundation

/// Fetches JSON from one address and decodes it into whatever the caller names.
///
/// Make one where it is needed; it holds nothing but the address. Any thread. The strategy is the environment's, and so are
/// policy, size limit and deadline; ``FetchLimits/maximumInFlight`` and ``FetchLimits/retries`` are for images only.
public struct APIService: Sendable {
  /// The address. It need not be a URL: asking then fails with `invalidURL`.
  public let urlString: String
  private let environment: FetchEnvironment

  /// A service for one address. Nothing is fetched yet.
  public init(_ urlString: String, in environment: FetchEnvironment) {
    self.urlString = urlString
    self.environment = environment
  }

  /// Fetches and decodes, and calls `completion` once, on main.
  ///
  /// - Parameters:
  ///   - type: what to decode, often clear from `completion`.
  ///   - dateDecodingStrategy: how dates are written.
  ///   - keyDecodingStrategy: how keys are written.
  ///   - completion: called once, on main, never inside this call.
  /// - Returns: a handle; cancelling it ends with `dataTaskError(.cancelled)`, dropping it changes nothing.
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

  /// Fetches and decodes. Cancelling the calling task ends it with `dataTaskError(.cancelled)`.
  ///
  /// - Parameters:
  ///   - type: what to decode, often clear from the context.
  ///   - dateDecodingStrategy: how dates are written.
  ///   - keyDecodingStrategy: how keys are written.
  public func getJSON<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self,
    dateDecodingStrategy: JSONDecoder.DateDecodingStrategy = .deferredToDate,
    keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
  ) async throws(APIError) -> Value {
    try await exchange(type, dateDecodingStrategy, keyDecodingStrategy).answer(to: .get(urlString))
  }

  /// What the service has at its address: a state, and the key of its events. Another one each time. Nothing is fetched yet.
  ///
  /// - Parameters:
  ///   - type: what to decode, often clear from the context.
  ///   - dateDecodingStrategy: how dates are written.
  ///   - keyDecodingStrategy: how keys are written.
  public func resource<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self,
    dateDecodingStrategy: JSONDecoder.DateDecodingStrategy = .deferredToDate,
    keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
  ) -> ServiceResource<Value, APIError> {
    // A query may hold a secret.
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
