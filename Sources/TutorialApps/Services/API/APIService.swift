public import EventBus
public import FetcherModel
public import Foundation

/// Fetches JSON from one address and decodes it into the type that the caller specifies.
///
/// A service stores only its address, so you can create one wherever you need it. Safe to use from any thread. A
/// service uses the environment's strategy, policy, size limit and deadline. Its `maximumInFlight` and
/// `FetchLimits.retries` apply only to images.
public struct APIService: Sendable {
  /// The address, which need not be a valid URL. A fetch from an invalid URL fails with `invalidURL`.
  public let urlString: String
  private let environment: FetchEnvironment

  /// Creates a service for one address. Fetches nothing.
  public init(_ urlString: String, in environment: FetchEnvironment) {
    self.urlString = urlString
    self.environment = environment
  }

  /// Fetches and decodes the value, and then calls `completion` once, on main.
  ///
  /// - Parameters:
  ///   - type: the type to decode, often inferred from `completion`.
  ///   - dateDecodingStrategy: the format of dates.
  ///   - keyDecodingStrategy: the format of keys.
  ///   - completion: a closure called once, on main, and never synchronously.
  /// - Returns: a handle. Cancelling it completes the call with `dataTaskError(.cancelled)`; releasing it has no
  ///   effect.
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

  /// Fetches and decodes the value. Cancelling the calling task throws `dataTaskError(.cancelled)`.
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

  /// Creates a resource for the address, with its state and the key for its events. Each call creates a new resource.
  /// Fetches nothing.
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
    // The query may contain a secret.
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

/// The reason why ``APIService`` could not return a value.
public enum APIError: Error, Equatable, Sendable {
  /// The address is not a URL, or it has no scheme or no host.
  case invalidURL
  /// The server responded with a status outside 200...299.
  case invalidResponseStatus(Int)
  /// The network failed, the transport policy rejected the address, the deadline passed, or the call was cancelled.
  case dataTaskError(FetchError)
  /// The response is empty, truncated or not JSON.
  case corruptData
  /// The response is JSON that does not match the type. `path` is the path to the mismatch, such as `[3].email`.
  case decodingError(path: String, reason: String)

  /// Converts a `FetchError`.
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
  /// The same text as ``description``. It is also returned by `localizedDescription`.
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
      "the response does not match the model: \(path.isEmpty ? "the top-level value" : path) \(reason); compare the two"
    }
  }
}
