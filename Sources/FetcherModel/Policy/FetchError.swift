public import Foundation
import PlainText

/// The reason why a picture could not be loaded.
///
/// The cases do not contain the picture, so that errors from different strategies can be compared. ``message(for:)``
/// names the picture.
public enum FetchError: Error, Equatable, Hashable, Sendable {
  /// The address is not a URL, or it has no scheme or no host.
  case invalidURL
  /// The address has a port above 65535.
  case invalidPort
  /// The address or a redirect violates the ``TransportPolicy``.
  case blockedByTransportPolicy
  /// The strategy does not support the scheme of the address or of a redirect. For example, `socket` does not support
  /// https. `strategy` is nil if the scheme of the address is neither http nor https, as that of a file: read a file
  /// into ``Picture/init(validating:)`` instead.
  case unsupportedScheme(strategy: StrategyName?)
  /// The strategy cannot validate redirects, but the policy requires it: ``TransportPolicy/mustHoldAfterRedirects``.
  case redirectsUnseen(strategy: StrategyName)
  /// The strategy cannot send the header fields of the request.
  case headersUnsent(strategy: StrategyName)
  /// The server responded with a status outside 200...299, regardless of the body.
  case badStatus(Int)
  /// The server responded with a success status but no bytes.
  case emptyBody
  /// The bytes are corrupt, or not in a known picture format.
  case notAnImage
  /// The bytes begin like a picture but end too early, or the connection closed before the whole body arrived.
  case truncated
  /// The body has a `Content-Encoding` that the strategy cannot decode, and the bytes received so far are not a whole
  /// picture. `encoding` is the server's value, or nil if the strategy does not see the head of such a response.
  case undecodable(encoding: String?)
  /// The response body is longer than ``FetchLimits/maximumBytes``.
  case tooLarge
  /// The picture has more than ``Picture/maximumPixels`` pixels.
  case tooManyPixels
  /// The fetch did not finish before its deadline, or the network timed out.
  case timedOut
  /// The network failed. A blocking read reports ``NetworkError/unknown`` for any failure. With
  /// ``NetworkError/cannotCreateFile``, ``NetworkError/cannotWriteFile`` and ``NetworkError/proxiedLoopback``, no
  /// request was sent.
  case transport(NetworkError)
  /// The strategy failed with a different error, which `reason` describes.
  case strategyFailed(StrategyName, reason: String)
  /// The fetch was cancelled, so no caller is waiting for the result any longer.
  case cancelled
}

extension FetchError: LocalizedError, CustomStringConvertible {
  /// The problem in a sentence, for a label of an app. It is also returned by `localizedDescription`.
  public var errorDescription: String? { parts.problem.asSentence }

  /// The remedy in a sentence, for example for the second line of an alert. It can address the developer or the
  /// operator.
  public var recoverySuggestion: String? { parts.advice.asSentence }

  /// The problem and its remedy on one line, for a picture whose name is not given.
  public var description: String { message(for: nil) }

  /// Returns the problem with the picture named `name` and its remedy, on one line, for a log or a terminal.
  public func message(for name: String?) -> String {
    message(of: name.map { "picture “\($0)”" } ?? "the picture")
  }

  /// Returns the problem and its remedy on one line, for a subject such as “the list of photos”.
  package func message(of subject: String) -> String {
    let (problem, advice) = parts
    return "\(subject): \(problem); \(advice)"
  }

  /// The problem, without its subject, and the remedy.
  private var parts: (problem: String, advice: String) {
    switch self {
    case .invalidURL: ("the address is not a URL", "write it in full, as in https://example.org/a.png")
    case .invalidPort: ("the address has an impossible port, because a port is at most 65535", "correct the port")
    case .blockedByTransportPolicy:
      ("blocked by the transport policy", "use https, or allow arbitrary loads in the configuration")
    case .unsupportedScheme(nil): ("only http and https addresses can be fetched", "correct the address")
    case .unsupportedScheme(let strategy?):
      ("the strategy \(strategy) cannot load https", Self.otherStrategy)
    case .redirectsUnseen(let strategy):
      ("the strategy \(strategy) cannot validate redirects, which the transport policy requires", Self.otherStrategy)
    case .headersUnsent(.blocking): ("the strategy blocking cannot send header fields", Self.otherStrategy)
    case .headersUnsent(let strategy):
      (
        "the strategy \(strategy) does not declare that it sends header fields",
        "declare sendsHeaders in its capabilities if it does, or \(Self.otherStrategy)"
      )
    case .badStatus(let status): ("the server responded with status \(status)", Self.advice(on: status))
    case .emptyBody: ("the server sent no bytes", "verify the file on the server")
    case .notAnImage: ("not a JPEG, PNG, GIF or WebP picture", "verify that the address leads to a picture")
    case .truncated: ("the response is truncated", "try again")
    case .undecodable(let encoding):
      (
        "the body has \(encoding.map { "the encoding \($0.quoted)" } ?? "an encoding") that cannot be decoded",
        "let the server send the plain bytes, or select another strategy"
      )
    case .tooLarge: ("the response is larger than the size limit", "raise the limit")
    case .tooManyPixels:
      ("more pixels than decoders can be trusted with (limit: \(Picture.maximumPixels))", "use a smaller picture")
    case .timedOut: ("no complete response before the deadline", "try again or allow more time")
    case .transport(.unusableAddress):
      ("Foundation cannot use this address (code -1000)", "write the host as a name, such as localhost")
    case .transport(.certificateExpired):
      ("the server's certificate has expired (code -1201)", "renew it, or correct this machine's clock")
    case .transport(.certificateInvalid):
      ("the server's certificate is invalid or names another host (code -1202)", "verify the host name")
    case .transport(.certificateHasUnknownRoot):
      (
        "the server's certificate is not trusted (code -1203)",
        "verify the address, or trust the certificate's issuer"
      )
    case .transport(.certificateNotYetValid):
      ("the server's certificate is not yet valid (code -1204)", "correct this machine's clock")
    case .transport(.cannotCreateFile):
      (
        "cannot create a file in the temporary folder \(Self.folder) (code -3000)",
        "make the folder writable, set TMPDIR to another one, raise `ulimit -n`, or \(Self.otherStrategy)"
      )
    case .transport(.cannotWriteFile):
      (
        "the temporary folder \(Self.folder) cannot hold a file of the size limit (code -3003)",
        "free space, raise `ulimit -f`, lower the size limit, or \(Self.otherStrategy)"
      )
    case .transport(.proxiedLoopback):
      (
        "the environment's proxy would receive this request to this machine (code 306)",
        "add \(EnvironmentProxy.loopback.joined(separator: ",")) to no_proxy before the process starts"
      )
    case .transport(let error):
      ("the network failed (code \(error.code)\(Self.meaning(of: error)))", Self.advice(on: error))
    case .strategyFailed(let strategy, let reason):
      ("the strategy \(strategy) failed: \(reason.quoted)", "fix it, or select another strategy")
    case .cancelled: ("cancelled", "try again")
    }
  }

  private static let otherStrategy = "select another strategy, such as dataTask"

  private static var folder: String { PrivateTemporaryDirectory.path.quoted(upTo: 1000) }

  /// Whether a server that responded with this HTTP status may respond differently a moment later.
  private static func isTemporary(_ status: Int) -> Bool { status == 408 || status == 429 || status >= 500 }

  /// Returns the remedy for an HTTP status.
  package static func advice(on status: Int) -> String {
    switch status {
    case 401, 407: "verify the key or the password"
    case 403: "verify the permissions"
    case _ where isTemporary(status): "try again later"
    case 413: "send less data"
    case 415: "send the data in another format"
    default: "verify the address"
    }
  }

  private static func advice(on error: NetworkError) -> String {
    switch error {
    case .notHTTP, .tooManyRedirects: "verify the address"
    case .unknownHost: "verify the host name"
    case .refused: "start the server, or verify the host and port"
    case .unknown: "verify the address, or select another strategy to learn the reason"
    default: "try again"
    }
  }

  private static func meaning(of error: NetworkError) -> String {
    switch error {
    case .cutShort: ", Foundation gives no reason"
    case .notHTTP: ", not an HTTP response"
    case .unknownHost: ", host not found"
    case .refused: ", cannot connect"
    case .connectionLost: ", connection lost"
    case .tooManyRedirects: ", too many redirects"
    case .notConnectedToInternet: ", not connected to the internet"
    case .unusableAnswer: ", unusable response"
    case .secureConnectionFailed: ", no secure connection"
    case .unreadableFile: ", the downloaded file cannot be read"
    case .unknown: ", a blocking read gives no reason"
    default: ""
    }
  }

  /// The failures that another attempt does not change.
  private static let permanent: Set<NetworkError> = [
    .unusableAddress, .notHTTP, .tooManyRedirects, .certificateExpired, .certificateInvalid, .certificateHasUnknownRoot,
    .certificateNotYetValid, .unknown, .cannotCreateFile, .cannotWriteFile,
    .proxiedLoopback,
  ]

  /// Whether the same request may succeed if it is sent again a moment later.
  ///
  /// Code 256 is not worth retrying: it is the only code that a blocking read reports, and may represent a 404. Of the
  /// statuses, 408, 429 and those of 500 and above are worth retrying.
  public var isWorthRetrying: Bool {
    switch self {
    case .transport(let error): !Self.permanent.contains(error)
    case .truncated, .timedOut: true
    case .badStatus(let status): Self.isTemporary(status)
    default: false
    }
  }
}

extension FetchError {
  /// The category of an error, without its details. Scenarios, reports and statistics refer to a category by its name.
  package enum Category: String, Sendable, CaseIterable {
    /// The address is not a URL, or its port is impossible.
    case invalidURL
    /// The transport policy rejected the address, a redirect, or a strategy that cannot validate redirects.
    case blockedByTransportPolicy
    /// The strategy does not support the URL's scheme.
    case unsupportedScheme
    /// The status is outside 200...299.
    case badStatus
    /// The response has no bytes.
    case emptyBody
    /// The bytes are not in a known picture format.
    case notAnImage
    /// The bytes end too early.
    case truncated
    /// The body exceeds the size limit, or the picture has too many pixels.
    case tooLarge
    /// No complete response arrived before the deadline.
    case timedOut
    /// The network failed, or the body has an encoding that cannot be decoded.
    case transport
    /// The strategy itself failed, or it cannot send header fields.
    case strategyFailed
    /// The fetch was cancelled.
    case cancelled
  }

  /// The error's category.
  package var category: Category {
    switch self {
    case .invalidURL, .invalidPort: .invalidURL
    case .blockedByTransportPolicy, .redirectsUnseen: .blockedByTransportPolicy
    case .unsupportedScheme: .unsupportedScheme
    case .badStatus: .badStatus
    case .emptyBody: .emptyBody
    case .notAnImage: .notAnImage
    case .truncated: .truncated
    case .tooLarge, .tooManyPixels: .tooLarge
    case .timedOut: .timedOut
    case .transport, .undecodable: .transport
    case .strategyFailed, .headersUnsent: .strategyFailed
    case .cancelled: .cancelled
    }
  }
}

extension String {
  /// The string with a capital letter at its start and a period at its end.
  package var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }

  /// Returns the string without the parts of addresses that may contain secrets: user information, queries and
  /// fragments.
  ///
  /// A number such as `#42` is kept if it is not part of an address.
  package var withoutSecrets: String {
    let pattern = /(?<number>(?:^|\s)#\d+\b)|[?#][^\s"<>]*/.matchingSemantics(.unicodeScalar)
    return withoutCredentials.replacing(pattern) { match in match.number ?? "" }
  }

  /// Returns the string in quotation marks for use in a message: shortened, and without secrets or control characters.
  package var quoted: String { quoted(upTo: 80) }

  func quoted(upTo length: Int) -> String {
    let scalars = withoutSecrets.unicodeScalars
    let plain = scalars.prefix(length).map { $0.properties.generalCategory == .control ? "?" : String($0) }
    return "“\(plain.joined())\(scalars.count > length ? "…" : "")”"
  }
}
