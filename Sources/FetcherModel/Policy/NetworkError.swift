/// The reason for a network failure: a code of `URLError` or, for a blocking read and for downloads, of Cocoa.
///
/// The code may be written as a number: `.transport(-1004)` is `.transport(.refused)`. A description names the code, as in
/// `refused (-1004)`.
public struct NetworkError: Error, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// The error code, as defined by `URLError.Code` or `CocoaError.Code`.
  public var code: Int

  /// Creates a failure with this code.
  public init(code: Int) { self.code = code }

  /// Creates a failure with this code.
  public init(integerLiteral code: Int) { self.code = code }

  /// The name and the code, or the code alone if it has no name here.
  public var description: String { name.map { "\($0) (\(code))" } ?? "\(code)" }

  /// The corresponding error of the model.
  public var asFetchError: FetchError {
    switch code {
    case -999: .cancelled
    case -1001: .timedOut
    case -1016: .undecodable(encoding: nil)
    default: .transport(self)
    }
  }
}

extension NetworkError {
  /// This machine is not connected to a network. Foundation on Linux reports ``unknownHost`` instead.
  public static let notConnectedToInternet: NetworkError = -1009
  /// No byte arrived for the idle timeout. A fetch fails with ``FetchError/timedOut`` instead.
  public static let timedOut: NetworkError = -1001
  /// The host name does not resolve.
  public static let unknownHost: NetworkError = -1003
  /// No server accepts connections at this address.
  public static let refused: NetworkError = -1004
  /// The connection ended during the exchange.
  public static let connectionLost: NetworkError = -1005
  /// No secure connection can be made, for a reason other than the server's certificate.
  public static let secureConnectionFailed: NetworkError = -1200
  /// The server's certificate has expired.
  public static let certificateExpired: NetworkError = -1201
  /// The server's certificate is invalid or names another host.
  public static let certificateInvalid: NetworkError = -1202
  /// The server's certificate has an issuer that this machine does not trust.
  public static let certificateHasUnknownRoot: NetworkError = -1203
  /// The server's certificate is not yet valid.
  public static let certificateNotYetValid: NetworkError = -1204
  /// The server redirects too often.
  public static let tooManyRedirects: NetworkError = -1007
  /// A blocking read failed, which gives no reason.
  public static let unknown: NetworkError = 256
  /// The environment's proxy would receive a request to this machine. CFNetwork's code for a failure of an http proxy.
  public static let proxiedLoopback: NetworkError = 306
  /// The folder for temporary files does not accept a file.
  public static let cannotCreateFile: NetworkError = -3000
  /// The folder for temporary files has less room than the size limit.
  public static let cannotWriteFile: NetworkError = -3003

  // A network without URLSession uses the codes that Foundation on Linux has for the same reasons. CFNetwork has others.
  package static let cancelled: NetworkError = -999
  package static let unsupportedScheme: NetworkError = -1002
  package static let notHTTP: NetworkError = -1002
  package static let unusableAnswer: NetworkError = -1011
  package static let packed: NetworkError = -1016
  package static let unreadableFile: NetworkError = -3001
  /// The body ends before its announced length. Foundation on Linux has no separate code for this.
  package static let cutShort: NetworkError = -1

  private var name: String? {
    switch code {
    case -1: "no reason"
    case -1000: "unusable address"
    case -1002: "not an HTTP response"
    case -1003: "host not found"
    case -1004: "refused"
    case -1005: "connection lost"
    case -1007: "too many redirects"
    case -1009: "not connected to the internet"
    case -1011: "unusable response"
    case -1200: "no secure connection"
    case -1201: "certificate expired"
    case -1202: "certificate invalid"
    case -1203: "certificate not trusted"
    case -1204: "certificate not yet valid"
    case -3000: "cannot create a file"
    case -3001: "cannot read the downloaded file"
    case -3003: "cannot hold the file"
    case 256: "blocking read"
    case 306: "proxy for this machine"
    default: nil
    }
  }
}
