extension FetchError {
  /// The kind of an error, without its details: what scenarios, reports and statistics name.
  public enum Category: String, Sendable, CaseIterable {
    /// No URL.
    case invalidURL
    /// Refused by the transport policy: the address, a redirect, or a strategy that cannot validate redirects.
    case blockedByTransportPolicy
    /// A scheme that the strategy cannot load.
    case unsupportedScheme
    /// A status outside 200...299.
    case badStatus
    /// An answer without bytes.
    case emptyBody
    /// Bytes in no known picture format.
    case notAnImage
    /// Bytes that stop before their end.
    case truncated
    /// More bytes than the limit.
    case tooLarge
    /// No complete answer before the deadline.
    case timedOut
    /// A failure of the network.
    case transport
    /// A failure of the strategy itself.
    case strategyFailed
    /// Cancelled.
    case cancelled
    /// A wrong catalogue.
    case catalogue
    /// A missing setting, or an unknown strategy.
    case missingConfiguration
  }

  /// The kind of this error.
  public var category: Category {
    switch self {
    case .invalidURL: .invalidURL
    case .blockedByTransportPolicy, .redirectsUnseen: .blockedByTransportPolicy
    case .unsupportedScheme: .unsupportedScheme
    case .badStatus: .badStatus
    case .emptyBody: .emptyBody
    case .notAnImage: .notAnImage
    case .truncated: .truncated
    case .tooLarge: .tooLarge
    case .timedOut: .timedOut
    case .transport: .transport
    case .strategyFailed: .strategyFailed
    case .cancelled: .cancelled
    case .catalogue: .catalogue
    case .missingConfiguration, .unknownStrategy: .missingConfiguration
    }
  }
}
