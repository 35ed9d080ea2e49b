/// The capabilities of a strategy.
public struct StrategyCapabilities: Sendable, Equatable {
  /// Whether cancelling stops the work. If not, a cancelled fetch still ends immediately with `cancelled`, but its work
  /// continues and the result is ignored.
  public var canCancel: Bool
  /// Whether the strategy reports the HTTP status.
  public var seesStatus: Bool
  /// Whether the strategy reports progress and enforces the size limit while the body streams.
  public var reportsProgress: Bool
  /// Whether the strategy can validate redirects against the policy.
  public var seesRedirects: Bool
  /// Whether the strategy can load https. If not, an https request fails with
  /// ``FetchError/unsupportedScheme(strategy:)``.
  public var loadsHTTPS: Bool
  /// Whether the strategy sends header fields. If not, a request with header fields fails with
  /// ``FetchError/headersUnsent(strategy:)``.
  public var sendsHeaders: Bool
  /// A one-line description of the implementation.
  public var note: String

  /// Creates capabilities. By default, a strategy loads https and has no other capability.
  public init(
    canCancel: Bool = false, seesStatus: Bool = false, reportsProgress: Bool = false, seesRedirects: Bool = false,
    loadsHTTPS: Bool = true, sendsHeaders: Bool = false, note: String
  ) {
    self.canCancel = canCancel
    self.seesStatus = seesStatus
    self.reportsProgress = reportsProgress
    self.seesRedirects = seesRedirects
    self.loadsHTTPS = loadsHTTPS
    self.sendsHeaders = sendsHeaders
    self.note = note
  }

  /// Returns all capabilities, with or without https.
  package static func all(loadsHTTPS: Bool = true, _ note: String) -> StrategyCapabilities {
    StrategyCapabilities(
      canCancel: true, seesStatus: true, reportsProgress: true, seesRedirects: true, loadsHTTPS: loadsHTTPS,
      sendsHeaders: true, note: note)
  }
}
