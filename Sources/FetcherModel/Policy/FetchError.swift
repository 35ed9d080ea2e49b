import Bytes
public import Foundation

/// The reason why a picture or a catalogue could not be loaded.
///
/// The cases contain no picture, so that a caller can compare two strategies by them. ``message(for:)`` names the
/// picture.
public enum FetchError: Error, Equatable, Hashable, Sendable {
  /// The address is not a URL, or has no scheme or host.
  case invalidURL
  /// The address or a redirect violates the ``TransportPolicy``.
  case blockedByTransportPolicy
  /// This strategy cannot load the scheme of the address or of a redirect: `socket` does not load https.
  case unsupportedScheme(strategy: StrategyName)
  /// This strategy cannot validate redirects, and the policy requires it: ``TransportPolicy/mustHoldAfterRedirects``.
  case redirectsUnseen(strategy: StrategyName)
  /// The server answered with a status outside 200...299. The body does not matter.
  case badStatus(Int)
  /// The server answered with a success status and no bytes.
  case emptyBody
  /// The bytes are not in a known picture format, or are corrupt.
  case notAnImage
  /// The bytes start as a picture and stop before its end, or the connection cut the body short.
  case truncated
  /// The body of the response is longer than ``FetchLimits/maximumBytes``.
  case tooLarge
  /// The deadline of the fetch passed, or the network's own timeout.
  case timedOut
  /// The network failed. The code is that of a `URLError` such as -1004 (refused), or 256 for any failure of a
  /// blocking read.
  case transport(Int)
  /// The strategy failed with another error, which `reason` describes.
  case strategyFailed(StrategyName, reason: String)
  /// No caller waits for the result any more.
  case cancelled
  /// A catalogue is wrong at `path`, for example `slides[3].file`.
  case catalogue(path: String, reason: String)
  /// A setting that a service requires is missing.
  case missingConfiguration(String)
  /// No strategy is registered under this name. `known` contains the registered names.
  case unknownStrategy(StrategyName, known: [StrategyName])
}

extension FetchError: LocalizedError, CustomStringConvertible {
  /// The same as ``description``. `localizedDescription` returns it.
  public var errorDescription: String? { description }

  /// The problem and its remedy, for a picture without a name.
  public var description: String { message(for: nil) }

  /// Returns the problem with the picture called `name` and its remedy, on one line.
  public func message(for name: String?) -> String {
    message(of: name.map { "picture “\($0)”" } ?? "the picture")
  }

  /// Returns the same for another subject, such as “the list of photos”.
  public func message(of subject: String) -> String {
    switch self {
    case .invalidURL: "\(subject): the address is not a URL; write it in full, as in https://example.org/a.png"
    case .blockedByTransportPolicy:
      "\(subject): blocked by the transport policy; use https, or allow arbitrary loads in the configuration"
    case .unsupportedScheme(let strategy):
      "\(subject): the strategy \(strategy) cannot load https; select another strategy, such as dataTask"
    case .redirectsUnseen(let strategy):
      "\(subject): the strategy \(strategy) cannot validate redirects, as the transport policy demands; select another "
        + "strategy, such as dataTask"
    case .badStatus(let status): "\(subject): the server responded with status \(status); \(Self.advice(on: status))"
    case .emptyBody: "\(subject): the server sent no bytes; verify the file on the server"
    case .notAnImage:
      "\(subject): not a JPEG, PNG, GIF or WebP picture; verify that the address leads to a picture"
    case .truncated: "\(subject): the picture is truncated; try again"
    case .tooLarge: "\(subject): larger than the size limit; raise the limit"
    case .timedOut: "\(subject): no complete response before the deadline; try again or allow more time"
    case .transport(-1000):
      "\(subject): Foundation cannot use this address (code -1000); write the host as a name, such as localhost"
    case .transport(-1202):
      "\(subject): the certificate of the server is not trusted (code -1202); verify the address, or trust its authority"
    case .transport(let code): "\(subject): the network failed (code \(code)\(Self.meaning(of: code))); try again"
    case .strategyFailed(let strategy, let reason):
      "\(subject): the strategy \(strategy) failed: \(reason.quoted); fix it, or select another strategy"
    case .cancelled: "\(subject): cancelled; try again to fetch it"
    case .catalogue(let path, let reason): "catalogue: \(path.isEmpty ? "" : "\(path): ")\(reason)"
    case .missingConfiguration(let key): "configuration: “\(key)” is missing; add it"
    case .unknownStrategy(let name, let known):
      "configuration: no strategy is called “\(name)”; select one of "
        + "\(known.map(\.description).joined(separator: ", "))"
    }
  }

  /// The remedy for a status.
  static func advice(on status: Int) -> String {
    switch status {
    case 401, 403, 407: "verify the key or the permission"
    case 408, 429, 500...: "try again later"
    case 413: "send less"
    case 415: "send it in another format"
    default: "verify the address"
    }
  }

  private static func meaning(of code: Int) -> String {
    switch code {
    case -1: ", Foundation gives no reason"
    case -1002: ", not an HTTP response"
    case -1003: ", host not found"
    case -1004: ", connection refused"
    case -1005: ", connection lost"
    case -1007: ", too many redirects"
    case -1011: ", unusable answer"
    case -1016: ", a compressed body that was not requested"
    case -3001: ", the downloaded file cannot be read"
    case 256: ", a blocking read gives no reason"
    default: ""
    }
  }

  /// Whether the same request may succeed a moment later.
  ///
  /// False for 256, the only code of a blocking read, because it may stand for a 404.
  public var isWorthRetrying: Bool {
    switch self {
    case .transport(-1000), .transport(-1007), .transport(-1016), .transport(-1202), .transport(256): false
    case .transport, .truncated, .timedOut: true
    case .badStatus(let status): status >= 500
    default: false
    }
  }
}

extension FetchError {
  /// The category of an error without its details. Scenarios, reports and statistics name it.
  public enum Category: String, Sendable, CaseIterable {
    /// Not a URL.
    case invalidURL
    /// Rejected by the transport policy: the address, a redirect, or a strategy that cannot validate redirects.
    case blockedByTransportPolicy
    /// A scheme that the strategy cannot load.
    case unsupportedScheme
    /// A status outside 200...299.
    case badStatus
    /// A response without bytes.
    case emptyBody
    /// Bytes in an unknown picture format.
    case notAnImage
    /// Bytes that stop before their end.
    case truncated
    /// More bytes than the limit.
    case tooLarge
    /// No complete response before the deadline.
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

  /// The category of this error.
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

extension String {
  /// Returns the text without the parts of addresses that may contain a secret: user information, queries and
  /// fragments.
  ///
  /// Keeps a number such as `#42` that does not follow an address.
  var withoutSecrets: String {
    let pattern = /(?<number>(?:^|\s)#\d+\b)|[?#][^\s"<>]*/.matchingSemantics(.unicodeScalar)
    return withoutCredentials.replacing(pattern) { match in match.number ?? "" }
  }

  /// Returns the text in quotation marks for a message: shortened, without secrets, and without control characters.
  var quoted: String {
    let scalars = withoutSecrets.unicodeScalars
    let plain = scalars.prefix(80).map { $0.properties.generalCategory == .control ? "?" : String($0) }
    return "“\(plain.joined())\(scalars.count > 80 ? "…" : "")”"
  }
}
