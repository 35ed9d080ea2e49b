/// The codes of the network without URLSession, which are those of URLSession for the same reasons.
extension NetworkError {
  static let cancelled = NetworkError(code: -999)
  static let silence = NetworkError(code: -1001)
  static let unsupportedScheme = NetworkError(code: -1002)
  static let notHTTP = NetworkError(code: -1002)
  static let unknownHost = NetworkError(code: -1003)
  static let refused = NetworkError(code: -1004)
  static let lost = NetworkError(code: -1005)
  static let unusableAnswer = NetworkError(code: -1011)
  static let packed = NetworkError(code: -1016)
  /// A body that stops before its announced end. Foundation on Linux has no code of its own for that.
  static let cutShort = NetworkError(code: -1)
}
