/// The reason for a network failure: a code of `URLError` or, for a blocking read and for downloads, of Cocoa.
///
/// A description names the code, as in `refused (-1004)`.
public struct NetworkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error code, as defined by `URLError.Code` or `CocoaError.Code`.
  public var code: Int

  /// Creates a failure with this code.
  public init(code: Int) { self.code = code }

  /// The name and the code, or the code alone if it has no name here.
  public var description: String { name.map { "\($0) (\(code))" } ?? "\(code)" }

  /// The corresponding error of the model.
  public var asFetchError: FetchError {
    switch self {
    case .cancelled: .cancelled
    case .timedOut: .timedOut
    case .packed: .undecodable(encoding: nil)
    default: .transport(self)
    }
  }
}

extension NetworkError {
  /// This machine is not connected to a network. Foundation on Linux reports ``unknownHost`` instead.
  public static let notConnectedToInternet = NetworkError(code: -1009)
  /// No byte arrived for the idle timeout. A fetch fails with ``FetchError/timedOut`` instead.
  public static let timedOut = NetworkError(code: -1001)
  /// The host name does not resolve.
  public static let unknownHost = NetworkError(code: -1003)
  /// No server accepts connections at this address.
  public static let refused = NetworkError(code: -1004)
  /// The connection ended during the exchange.
  public static let connectionLost = NetworkError(code: -1005)
  /// No secure connection can be made, for a reason other than the server's certificate.
  public static let secureConnectionFailed = NetworkError(code: -1200)
  /// The server's certificate has expired.
  public static let certificateExpired = NetworkError(code: -1201)
  /// The server's certificate is invalid or names another host.
  public static let certificateInvalid = NetworkError(code: -1202)
  /// The server's certificate has an issuer that this machine does not trust.
  public static let certificateHasUnknownRoot = NetworkError(code: -1203)
  /// The server's certificate is not yet valid.
  public static let certificateNotYetValid = NetworkError(code: -1204)
  /// The server redirects too often.
  public static let tooManyRedirects = NetworkError(code: -1007)
  /// A blocking read failed, which gives no reason.
  public static let unknown = NetworkError(code: 256)
  /// The environment's proxy would receive a request to this machine. CFNetwork's code for a failure of an http proxy.
  public static let proxiedLoopback = NetworkError(code: 306)
  /// The folder for temporary files does not accept a file.
  public static let cannotCreateFile = NetworkError(code: -3000)
  /// The folder for temporary files has less room than the size limit.
  public static let cannotWriteFile = NetworkError(code: -3003)

  // A network without URLSession uses the codes that Foundation on Linux has for the same reasons. CFNetwork has
  // others.
  package static let unusableAddress = NetworkError(code: -1000)
  package static let cancelled = NetworkError(code: -999)
  package static let unsupportedScheme = NetworkError(code: -1002)
  package static let notHTTP = NetworkError(code: -1002)
  package static let unusableAnswer = NetworkError(code: -1011)
  package static let packed = NetworkError(code: -1016)
  package static let unreadableFile = NetworkError(code: -3001)
  /// The body ends before its announced length. Foundation on Linux has no separate code for this.
  package static let cutShort = NetworkError(code: -1)

  private var name: String? {
    switch self {
    case .cutShort: "no reason"
    case .unusableAddress: "unusable address"
    case .notHTTP: "not an HTTP response"
    case .unknownHost: "host not found"
    case .refused: "refused"
    case .connectionLost: "connection lost"
    case .tooManyRedirects: "too many redirects"
    case .notConnectedToInternet: "not connected to the internet"
    case .unusableAnswer: "unusable response"
    case .secureConnectionFailed: "no secure connection"
    case .certificateExpired: "certificate expired"
    case .certificateInvalid: "certificate invalid"
    case .certificateHasUnknownRoot: "certificate not trusted"
    case .certificateNotYetValid: "certificate not yet valid"
    case .cannotCreateFile: "cannot create a file"
    case .unreadableFile: "cannot read the downloaded file"
    case .cannotWriteFile: "cannot hold the file"
    case .unknown: "blocking read"
    case .proxiedLoopback: "proxy for this machine"
    default: nil
    }
  }
}
